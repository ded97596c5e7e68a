#include "dcqcn/notification_point.h"

#include <ns3/enum.h>
#include <ns3/uinteger.h>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(NotificationPoint);

ns3::TypeId NotificationPoint::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::NotificationPoint")
          .SetParent<ns3::Object>()
          .SetGroupName("Headroom")
          .AddConstructor<NotificationPoint>()
          .AddAttribute(
              "MinCnpInterval", "If CNPs are coalesced per queue pair: at most one in this span.",
              ns3::TimeValue(ns3::MicroSeconds(50)),
              ns3::MakeTimeAccessor(&NotificationPoint::SetInterval, &NotificationPoint::GetInterval),
              ns3::MakeTimeChecker(ns3::TimeStep(0)))
          .AddAttribute(
              "NicInterval", "At most one CNP of the whole NIC in this span; 0: no limit.",
              ns3::TimeValue(ns3::TimeStep(0)),
              ns3::MakeTimeAccessor(&NotificationPoint::SetNicInterval, &NotificationPoint::GetNicInterval),
              ns3::MakeTimeChecker(ns3::TimeStep(0)))
          .AddAttribute(
              "Coalescing", "Which marks share a CNP.",
              ns3::EnumValue(static_cast<int>(NpParameters::Coalescing::per_qp)),
              ns3::MakeEnumAccessor(&NotificationPoint::SetCoalescing, &NotificationPoint::GetCoalescing),
              ns3::MakeEnumChecker(static_cast<int>(NpParameters::Coalescing::per_packet), "per_packet",
                                   static_cast<int>(NpParameters::Coalescing::per_qp), "per_qp",
                                   static_cast<int>(NpParameters::Coalescing::ack_flag), "ack_flag"))
          .AddAttribute(
              "Priorities", "A mask: marks in other priorities make no CNP.", ns3::UintegerValue(0xFF),
              ns3::MakeUintegerAccessor(&NotificationPoint::SetPriorities, &NotificationPoint::GetPriorities),
              ns3::MakeUintegerChecker<uint8_t>())
          .AddAttribute("CnpDelay", "From the arrival of a marked packet to the transmission of its CNP.",
                        ns3::TimeValue(ns3::TimeStep(0)),
                        ns3::MakeTimeAccessor(&NotificationPoint::SetDelay, &NotificationPoint::GetDelay),
                        ns3::MakeTimeChecker(ns3::TimeStep(0)));
  return tid;
}

}  // namespace headroom
