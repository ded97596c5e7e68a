#include "dcqcn/notification_point.h"

#include "dcqcn/attributes.h"

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(NotificationPoint);

ns3::TypeId NotificationPoint::GetTypeId() {
  static ns3::TypeId tid = WithAttributes<NotificationPoint>(ns3::TypeId("headroom::NotificationPoint")
                                                                 .SetParent<ns3::Object>()
                                                                 .SetGroupName("Headroom")
                                                                 .AddConstructor<NotificationPoint>(),
                                                             kNpTable, &NotificationPoint::parameters,
                                                             &NotificationPoint::SetParameters);
  return tid;
}

}  // namespace headroom
