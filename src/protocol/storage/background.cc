#include "protocol/storage/background.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace headroom {

namespace {

constexpr uint64_t kFragmentAlignment = 4096;  ///< alignment of writes into a fragment

/// A range of an extent.
struct Window {
  uint64_t begin = 0, length = 0;
};

}  // namespace

/// The same window of all fragments.
struct Background::Stripe {
  uint64_t offset = 0, length = 0;  ///< range in each fragment
  Time begun;
  size_t open = 0;
  bool failed = false, content = false;
  bool again = false;                       ///< the stripe is repeated: data written already stay
  std::vector<std::vector<uint8_t>> bytes;  ///< indexed by fragment
};

Background::Background(const StorageParameters& parameters, std::vector<uint32_t> disks,
                       const std::string& name, PartitionServer& server, ExtentMap& extents,
                       DelayedCalls& delayed_calls, const AskNode& ask, AppendLog* log,
                       const Operations& operations)
    : parameters_(parameters),
      disks_(std::move(disks)),
      start_(name + "/background"),
      server_(server),
      extents_(extents),
      delayed_calls_(delayed_calls),
      ask_(ask),
      log_(log),
      operations_(operations) {
  if (parameters.erasure) code_.emplace(*parameters.erasure);
}

/// Partition servers begin at different times.
void Background::Start() {
  const BackgroundParameters& p = *parameters_.background;
  const auto begin = [&](Rate rate, void (Background::*work)()) {
    const double piece = static_cast<double>(SerializationTime(p.piece, rate).v);
    delayed_calls_.After(Time(static_cast<int64_t>(start_.Uniform() * piece)),
                         [this, work] { (this->*work)(); });
  };
  if (p.gc.v > 0) begin(p.gc, &Background::Collect);
  if (p.reencode.v > 0) begin(p.reencode, &Background::Code);
}

void Background::Next(Time begun, uint64_t bytes, Rate rate, void (Background::*again)()) {
  if (IsOver()) return;
  const Time due = begun + SerializationTime(Bytes(static_cast<int64_t>(bytes)), rate);
  const Time now = EventQueue::Get().now();
  delayed_calls_.After(std::max(due, now) - now, [this, again] { (this->*again)(); });
}

/// Visits the replicated extents: first the initial extents of disks, then the others in order of sealing.
template <class Use>
void Background::ForEachSealed(const Use& use) const {
  const auto offer = [&](const PartitionServer::Sealed& sealed) {
    if (extents_.coded(sealed.extent)) return;
    if (collecting_ && collecting_->victim.extent == sealed.extent) return;
    if (coding_ && coding_->victim.extent == sealed.extent) return;
    use(sealed);
  };
  for (const uint32_t disk : disks_) {
    const ExtentIndex& index = server_.IndexOf(disk);
    for (uint32_t i = 0; i < index.initial(); ++i)
      offer({disk, extents_.FirstOf(disk) + i, static_cast<uint64_t>(parameters_.extent.v)});
  }
  for (const PartitionServer::Sealed& sealed : server_.sealed()) offer(sealed);
}

void Background::ChooseGarbage() {
  double least = 2;
  ForEachSealed([&](const PartitionServer::Sealed& sealed) {
    const uint64_t live = server_.IndexOf(sealed.disk).Live(sealed.extent);
    const double share = static_cast<double>(live) / static_cast<double>(sealed.length);
    if (share >= least || live == 0) return;
    least = share;
    collecting_ = Collecting{sealed, {}, 0, 0};
  });
  if (collecting_)
    collecting_->parts = server_.IndexOf(collecting_->victim.disk).LiveIn(collecting_->victim.extent);
}

void Background::Collect() {
  if (IsOver()) return;
  if (!collecting_) ChooseGarbage();
  const Rate rate = parameters_.background->gc;
  const Time now = EventQueue::Get().now();
  const auto piece = static_cast<uint64_t>(parameters_.background->piece.v);
  if (!collecting_) return Next(now, piece, rate, &Background::Collect);
  Collecting& c = *collecting_;
  if (c.part == c.parts.size()) {
    if (server_.IndexOf(c.victim.disk).Live(c.victim.extent) == 0) {
      ++counters_.collected;
      server_.Forget(c.victim.extent);
    }
    collecting_.reset();
    return Next(now, 0, rate, &Background::Collect);
  }
  const ExtentIndex::Part& part = c.parts[c.part];
  const uint64_t at = c.done;
  const auto length = static_cast<uint32_t>(std::min(part.length - at, piece));
  const StoragePlace from{part.place.object, part.place.offset + at};
  const uint64_t address = part.address + at;
  c.done += length;
  if (c.done == part.length) ++c.part, c.done = 0;
  counters_.gc_read += length;
  server_.ReadExtent(from, length,
                     [=, this, disk = c.victim.disk](OperationStatus status, std::vector<uint8_t> bytes) {
                       if (status != OperationStatus::ok) {
                         ++counters_.failed;
                         return Next(now, length, rate, &Background::Collect);
                       }
                       server_.Copy(disk, address, from, length, std::move(bytes), [=, this](uint64_t moved) {
                         counters_.gc_moved += moved;
                         Next(now, length, rate, &Background::Collect);
                       });
                     });
}

void Background::ChooseUncoded() {
  std::optional<PartitionServer::Sealed> oldest;
  ForEachSealed([&](const PartitionServer::Sealed& sealed) {
    if (!oldest) oldest = sealed;
  });
  if (!oldest) return;
  const uint32_t object = extents_.New();
  coding_ = Coding{*oldest, object, extents_.FragmentNodesOf(object), 0, {}};
}

void Background::Code() {
  if (IsOver()) return;
  if (!coding_) ChooseUncoded();
  const BackgroundParameters& p = *parameters_.background;
  const Time now = EventQueue::Get().now();
  if (!coding_) return Next(now, static_cast<uint64_t>(p.piece.v), p.reencode, &Background::Code);
  const Bytes length(static_cast<int64_t>(coding_->victim.length));
  if (coding_->done == static_cast<uint64_t>(code_->FragmentSize(length).v)) {
    ++counters_.coded;
    extents_.SetCoded(coding_->victim.extent, coding_->object, coding_->nodes, length);
    server_.Forget(coding_->victim.extent);
    coding_.reset();
    return Next(now, 0, p.reencode, &Background::Code);
  }
  ReadStripe();
}

void Background::ReadStripe() {
  const Coding& c = *coding_;
  const auto data = static_cast<uint64_t>(parameters_.erasure->data);
  const auto size =
      static_cast<uint64_t>(code_->FragmentSize(Bytes(static_cast<int64_t>(c.victim.length))).v);
  const uint64_t most = static_cast<uint64_t>(parameters_.background->piece.v) / data / kFragmentAlignment;
  const auto stripe = std::make_shared<Stripe>();
  stripe->offset = c.done;
  stripe->length = std::min(std::max<uint64_t>(most, 1) * kFragmentAlignment, size - c.done);
  stripe->begun = EventQueue::Get().now();
  stripe->bytes.resize(static_cast<size_t>(code_->fragments()));
  std::vector<std::pair<size_t, Window>> reads;  // there are no data behind the extent's end
  for (uint64_t fragment = 0; fragment < data; ++fragment) {
    const uint64_t begin = fragment * size + c.done;
    const uint64_t end = std::min(begin + stripe->length, c.victim.length);
    if (end > begin) reads.push_back({fragment, {begin, end - begin}});
  }
  stripe->open = reads.size();
  if (reads.empty()) return WriteStripe(stripe);
  for (const auto& [fragment, window] : reads) {
    counters_.reencode_read += window.length;
    server_.ReadExtent(
        {c.victim.extent, window.begin}, static_cast<uint32_t>(window.length),
        [this, stripe, fragment = fragment](OperationStatus status, std::vector<uint8_t> bytes) {
          stripe->failed = stripe->failed || status != OperationStatus::ok;
          stripe->content = stripe->content || !bytes.empty();
          stripe->bytes[fragment] = std::move(bytes);
          if (--stripe->open == 0) WriteStripe(stripe);
        });
  }
}

void Background::WriteStripe(const std::shared_ptr<Stripe>& stripe) {
  if (stripe->failed) return OnStripe(stripe);
  const auto data = static_cast<size_t>(parameters_.erasure->data);
  if (stripe->content) {
    for (auto& bytes : stripe->bytes) bytes.resize(stripe->length);
    ErasureCode::Words words(data);
    for (uint64_t at = 0; at < stripe->length; at += sizeof(uint64_t)) {
      for (size_t i = 0; i < data; ++i) std::memcpy(&words[i], &stripe->bytes[i][at], sizeof(uint64_t));
      if (std::ranges::all_of(words, [](uint64_t word) { return word == 0; })) continue;
      const ErasureCode::Words parities = code_->Encode(words);
      for (size_t i = 0; i < parities.size(); ++i)
        std::memcpy(&stripe->bytes[data + i][at], &parities[i], sizeof(uint64_t));
    }
  }
  const std::vector<NodeId> nodes = coding_->nodes;
  if (log_ != nullptr && !coding_->logged)
    coding_->logged = log_->Place(coding_->object, stripe->offset, static_cast<uint32_t>(stripe->length),
                                  static_cast<int>(nodes.size()), 0, 0, EventQueue::Get().now());
  stripe->open = nodes.size();
  for (size_t i = 0; i < nodes.size(); ++i) {
    StorageCall call;
    call.kind = OperationKind::write;
    call.place = {coding_->object, stripe->offset};
    call.length = static_cast<uint32_t>(stripe->length);
    call.bytes = std::move(stripe->bytes[i]);
    ask_(nodes[i], std::move(call), [this, stripe](const StorageAnswer& answer) {
      if (answer.status == OperationStatus::ok) counters_.reencode_written += stripe->length;
      if (answer.status == OperationStatus::failed) stripe->failed = true;
      if (answer.status == OperationStatus::corrupt) stripe->again = true;  // corrupted in transit
      if (--stripe->open == 0) OnStripe(stripe);
    });
  }
}

/// A fragment was not written: the extent is coded again, elsewhere.
void Background::OnStripe(const std::shared_ptr<Stripe>& stripe) {
  Coding& c = *coding_;
  if (stripe->failed) {
    ++counters_.failed;
    if (c.logged) log_->Abandon(*c.logged);
    coding_.reset();
  } else if (!stripe->again) {
    if (c.logged) log_->Acknowledge(*c.logged, EventQueue::Get().now());
    c.logged.reset();
    c.done += stripe->length;
  }
  const auto data = static_cast<uint64_t>(parameters_.erasure->data);
  Next(stripe->begun, data * stripe->length, parameters_.background->reencode, &Background::Code);
}

}  // namespace headroom
