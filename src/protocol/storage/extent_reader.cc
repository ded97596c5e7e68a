#include "protocol/storage/extent_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace headroom {

namespace {

constexpr uint64_t kWord = sizeof(uint64_t);  ///< the unit in which fragments are decoded

}  // namespace

/// A requested read, from one extent.
struct ExtentReader::Reading {
  StoragePlace place;
  uint32_t length = 0;
  RequestName request;
  Done done;
  size_t open = 0;  ///< number of open pieces
  OperationStatus status = OperationStatus::ok;
  std::vector<uint8_t> bytes;
};

/// A range on one node, of a whole extent or of a fragment.
struct ExtentReader::Piece {
  std::shared_ptr<Reading> reading;
  uint64_t at = 0;  ///< position in the requested data
  StoragePlace place;
  uint32_t length = 0;
  std::vector<NodeId> nodes;  ///< replicas in order of requests; or nodes by fragment
  size_t asked = 0;           ///< number of requested replicas
  size_t open = 0;            ///< number of these without an answer
  bool done = false;
  // For a coded extent:
  int fragment = 0;
  ErasureCode::Fragments sought = 0, had = 0, refused = 0, late = 0;
  std::vector<std::vector<uint8_t>> bytes;  ///< indexed by fragment, if data are carried
};

ExtentReader::ExtentReader(const StorageParameters& parameters, const ExtentMap& extents,
                           const std::string& name, Process& process, DelayedCalls& delayed_calls,
                           const AskNode& ask)
    : parameters_(parameters),
      extents_(extents),
      replicas_(name + "/replicas"),
      process_(process),
      delayed_calls_(delayed_calls),
      ask_(ask) {
  if (parameters.erasure) code_.emplace(*parameters.erasure);
}

void ExtentReader::Read(const StoragePlace& place, uint32_t length, const RequestName& request, Done done) {
  const auto reading = std::make_shared<Reading>(Reading{place, length, request, std::move(done), 0, {}, {}});
  if (extents_.coded(place.object)) {
    ReadFragments(reading);
  } else {
    ReadWhole(reading);
  }
}

void ExtentReader::ReadWhole(const std::shared_ptr<Reading>& reading) {
  const auto piece = std::make_shared<Piece>();
  piece->reading = reading;
  piece->place = reading->place;
  piece->length = reading->length;
  piece->nodes = extents_.NodesOf(reading->place.object);
  const auto first = static_cast<ptrdiff_t>(replicas_.Below(piece->nodes.size()));
  std::ranges::rotate(piece->nodes, piece->nodes.begin() + first);
  reading->open = 1;
  AskReplica(piece);
}

void ExtentReader::AskReplica(const std::shared_ptr<Piece>& piece) {
  StorageCall call;
  call.place = piece->place;
  call.length = piece->length;
  call.request = piece->reading->request;
  const NodeId node = piece->nodes[piece->asked++];
  ++piece->open;
  if (piece->asked < piece->nodes.size()) {
    Hedge(piece, [this, piece] {
      if (piece->asked == piece->nodes.size()) return;
      ++counters_.hedges;
      AskReplica(piece);
    });
  }
  ask_(node, std::move(call), [this, piece](StorageAnswer answer) { OnReplica(piece, std::move(answer)); });
}

void ExtentReader::OnReplica(const std::shared_ptr<Piece>& piece, StorageAnswer answer) {
  --piece->open;
  if (piece->done) return;  // another replica answered first
  if (answer.status == OperationStatus::ok) return Finish(piece, answer.status, std::move(answer.bytes));
  ++counters_.refused;
  if (piece->asked < piece->nodes.size()) return AskReplica(piece);
  if (piece->open == 0) Finish(piece, OperationStatus::failed, {});
}

void ExtentReader::ReadFragments(const std::shared_ptr<Reading>& reading) {
  const std::vector<NodeId>& nodes = extents_.NodesOf(reading->place.object);
  uint64_t at = 0;
  std::vector<std::shared_ptr<Piece>> pieces;
  for (const ErasureCode::Piece& part :
       code_->Read(extents_.LengthOf(reading->place.object), reading->place.offset, reading->length, 0)) {
    const auto piece = std::make_shared<Piece>();
    piece->reading = reading;
    piece->at = at;
    piece->place = {extents_.ObjectOf(reading->place.object), part.offset};
    piece->length = static_cast<uint32_t>(part.length);
    piece->nodes = nodes;
    piece->fragment = part.fragment;
    piece->bytes.resize(nodes.size());
    at += part.length;
    pieces.push_back(piece);
  }
  reading->open = pieces.size();
  for (const auto& piece : pieces) AskFragments(piece);
}

/// Chooses fragments that suffice for the piece, without any that has refused, and without late ones if there
/// are others. So afterwards a sufficient set has been requested and not refused.
void ExtentReader::AskFragments(const std::shared_ptr<Piece>& piece) {
  std::vector<int> from = code_->From(piece->fragment, piece->refused | piece->late);
  if (from.empty()) from = code_->From(piece->fragment, piece->refused);
  if (from.empty()) return Finish(piece, OperationStatus::failed, {});
  ErasureCode::Fragments ask = 0;
  for (const int fragment : from) ask |= ErasureCode::Bit(fragment);
  ask &= ~piece->sought;
  if (ask == 0) return;
  piece->sought |= ask;
  Hedge(piece, [this, piece] {
    const ErasureCode::Fragments open = piece->sought & ~piece->had & ~piece->refused;
    const ErasureCode::Fragments before = piece->sought;
    piece->late |= open;
    AskFragments(piece);
    counters_.hedges += piece->sought != before;
  });
  for (const int fragment : from) {
    if ((ask & ErasureCode::Bit(fragment)) != 0) AskFragment(piece, fragment);
  }
}

/// Reads whole words of another fragment, to reconstruct the requested one.
void ExtentReader::AskFragment(const std::shared_ptr<Piece>& piece, int fragment) {
  StorageCall call;
  call.place = piece->place;
  call.length = piece->length;
  if (fragment != piece->fragment) {
    const uint64_t end = piece->place.offset + piece->length;
    call.place.offset = piece->place.offset / kWord * kWord;
    call.length = static_cast<uint32_t>((end + kWord - 1) / kWord * kWord - call.place.offset);
  }
  call.request = piece->reading->request;
  ask_(piece->nodes[static_cast<size_t>(fragment)], std::move(call),
       [this, piece, fragment](StorageAnswer answer) { OnFragment(piece, fragment, std::move(answer)); });
}

void ExtentReader::OnFragment(const std::shared_ptr<Piece>& piece, int fragment, StorageAnswer answer) {
  if (piece->done) return;
  if (answer.status != OperationStatus::ok) {
    ++counters_.refused;
    piece->refused |= ErasureCode::Bit(fragment);
    return AskFragments(piece);
  }
  if (fragment == piece->fragment) return Finish(piece, answer.status, std::move(answer.bytes));
  piece->had |= ErasureCode::Bit(fragment);
  piece->bytes[static_cast<size_t>(fragment)] = std::move(answer.bytes);
  if (!code_->Suffice(piece->had, piece->fragment)) return;
  piece->done = true;
  const Time cost = process_.costs().Of(parameters_.erasure->cycles_per_byte * piece->length);
  if (cost == Time(0)) return Decode(piece);
  process_.Do(CoreWork::operation, cost, [this, piece] { Decode(piece); });
}

/// Decodes word by word, in the fragments' order; usually no word has content.
void ExtentReader::Decode(const std::shared_ptr<Piece>& piece) {
  ++counters_.reconstructed;
  piece->done = false;  // Finish will set it
  std::vector<int> from;
  bool carried = false;
  for (int i = 0; i < code_->fragments(); ++i) {
    if ((piece->had & ErasureCode::Bit(i)) == 0) continue;
    from.push_back(i);
    carried = carried || !piece->bytes[static_cast<size_t>(i)].empty();
  }
  const uint64_t before = piece->place.offset % kWord;  // bytes before the place in the first word
  const uint64_t whole = (before + piece->length + kWord - 1) / kWord * kWord;
  std::vector<uint8_t> bytes(carried ? whole : 0);
  ErasureCode::Words words(static_cast<size_t>(code_->fragments()));
  for (uint64_t at = 0; at < bytes.size(); at += kWord) {
    for (const int i : from)
      std::memcpy(&words[static_cast<size_t>(i)], &piece->bytes[static_cast<size_t>(i)][at], kWord);
    if (std::ranges::all_of(words, [](uint64_t word) { return word == 0; })) continue;
    const uint64_t word = code_->Rebuild(piece->fragment, from, words);
    std::memcpy(&bytes[at], &word, sizeof word);
  }
  if (carried) {
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(before));
    bytes.resize(piece->length);
  }
  Finish(piece, OperationStatus::ok, std::move(bytes));
}

void ExtentReader::Finish(const std::shared_ptr<Piece>& piece, OperationStatus status,
                          std::vector<uint8_t> bytes) {
  piece->done = true;
  Reading& reading = *piece->reading;
  if (status != OperationStatus::ok) reading.status = status;
  if (!bytes.empty()) {
    reading.bytes.resize(reading.length);
    std::ranges::copy(bytes, reading.bytes.begin() + static_cast<ptrdiff_t>(piece->at));
  }
  if (--reading.open == 0) reading.done(reading.status, std::move(reading.bytes));
}

void ExtentReader::Hedge(const std::shared_ptr<Piece>& piece, std::function<void()> f) {
  if (parameters_.hedge == Time(0)) return;
  delayed_calls_.After(parameters_.hedge, [piece, f = std::move(f)] {
    if (!piece->done) f();
  });
}

}  // namespace headroom
