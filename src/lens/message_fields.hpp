// The fields of every message, each named once: the JSON reader and the JSON writer both call fields(io, value).
#pragma once

#include "gputop/core/lens.hpp"

namespace gputop {

template <class Io>
void fields(Io& io, LensHello& v) {
  io("proto", v.protocol);
  io("pid", v.own_pid);
  io("ppid", v.parent);
  io("py", v.python);
  io("torch", v.torch);
  io("cuda", v.cuda);
  io("start_method", v.start_method);
  io("rank", v.rank);
  io("local_rank", v.local_rank);
  io("world", v.world);
  io("threads", v.threads);
}

template <class Io>
void fields(Io& io, LensChange& v) {
  io("name", v.name);
  io("before", v.before);
  io("after", v.after);
}

template <class Io>
void fields(Io& io, LensRefusal& v) {
  io("name", v.name);
  io("reason", v.reason);
}

template <class Io>
void fields(Io& io, LensLoader& v) {
  io("id", v.id);
  io("site", v.site);
  io("dataset", v.dataset);
  io("len", v.length);
  io("batches", v.batches);
  io("batch_size", v.batch_size);
  io("num_workers", v.workers);
  io("pin_memory", v.pin_memory);
  io("prefetch_factor", v.prefetch);
  io("persistent", v.persistent);
  io("drop_last", v.drop_last);
  io("sampler", v.sampler);
  io("mp_context", v.context);
  io("iterable", v.iterable);
  io("applied", v.applied);
  io("refused", v.refused);
}

template <class Io>
void fields(Io& io, LensOptimizer& v) {
  io("id", v.id);
  io("class", v.type);
  io("params", v.parameters);
  io("bytes", v.bytes);
  io("groups", v.groups);
  io("lr", v.learning_rates);
  io("momentum", v.momentum);
  io("tensors", v.tensors);
  io("fused", v.fused);
  io("foreach", v.foreach);
}

template <class Io>
void fields(Io& io, LensCount& v) {
  io("name", v.name);
  io("count", v.count);
}

template <class Io>
void fields(Io& io, LensModule& v) {
  io("class", v.type);
  io("wrappers", v.wrappers);
  io("params", v.parameters);
  io("bytes", v.bytes);
  io("trainable", v.trainable);
  io("buffers", v.buffers);
  io("kinds", v.kinds);
  io("checkpointing", v.checkpointing);
  io("compiled", v.compiled);
  io("channels_last", v.channels_last);
}

template <class Io>
void fields(Io& io, LensModel& v) {
  io("roots", v.roots);
  io("optimizer_bytes", v.optimizer_bytes);
  io("cost_ms", v.cost_ms);
}

template <class Io>
void fields(Io& io, LensAutocast& v) {
  io("device", v.device);
  io("type", v.type);
  io("enabled", v.enabled);
}

template <class Io>
void fields(Io& io, LensEnvironment& v) {
  io("tf32_matmul", v.tf32_matmul);
  io("tf32_conv", v.tf32_conv);
  io("cudnn_benchmark", v.cudnn_benchmark);
  io("threads", v.threads);
  io("autocast", v.autocast);
  io("scaler", v.scaler);
  io("checkpointing", v.checkpointing);
  io("rank", v.rank);
  io("world", v.world);
  io("device", v.device);
  io("device_name", v.device_name);
  io("device_uuid", v.device_uuid);
}

template <class Io>
void fields(Io& io, LensShape& v) {
  io("size", v.size);
  io("type", v.type);
}

template <class Io>
void fields(Io& io, LensMemory& v) {
  io("step", v.step);
  io("activation_bytes", v.activations);
  io("batch", v.batch);
  io("param_bytes", v.parameters);
  io("grad_bytes", v.gradients);
  io("state_bytes", v.optimizer);
  io("skipped", v.skipped);
  io("top", v.top);
  io("cost_ms", v.cost_ms);
}

template <class Io>
void fields(Io& io, LensFlops& v) {
  io("step", v.step);
  io("how", v.how);
  io("why", v.why);
  io("flops", v.flops);
  io("recomputed", v.recomputed);
  io("operations", v.operations);
  io("passes", v.passes);
  io("batch", v.batch);
  io("seconds", v.seconds);
  io("before", v.before);
  io("optimizer", v.optimizer);
  io("cost_ms", v.cost_ms);
  io("copied", v.copied);
  io("pageable", v.pageable);
  io("waited", v.waited);
}

template <class Io>
void fields(Io& io, LensLoaderTick& v) {
  io("id", v.id);
  io("batches", v.batches);
  io("wait", v.wait);
  io("user", v.user);
  io("pause", v.pause);
  io("longest", v.longest);
  io("first", v.first);
  io("first_wait", v.first_wait);
  io("epoch", v.epoch);
  io("steps", v.steps);
  io("batch", v.batch);
  io("shapes", v.shapes);
  io("fetch_cpu", v.fetch_cpu);
  io("p50", v.median);
  io("p99", v.slowest);
  io("turn", v.turn);
}

template <class Io>
void fields(Io& io, LensCuda& v) {
  io("device", v.device);
  io("allocated", v.allocated);
  io("allocated_peak", v.allocated_peak);
  io("reserved", v.reserved);
  io("reserved_peak", v.reserved_peak);
  io("ooms", v.ooms);
  io("retries", v.retries);
}

template <class Io>
void fields(Io& io, LensSync& v) {
  io("steps", v.steps);
  io("waited", v.waited);
  io("collecting", v.collecting);
  io("starved", v.starved);
  io("first", v.first);
  io("own", v.own);
  io("input", v.input);
  io("exchange", v.exchange);
  io("cpu", v.cpu);
  io("items", v.items);
}

template <class Io>
void fields(Io& io, LensPhase& v) {
  io("phase", v.phase);
  io("step", v.step);
  io("seconds", v.seconds);
  io("site", v.site);
}

template <class Io>
void fields(Io& io, LensTick& v) {
  io("steps", v.steps);
  io("backwards_per_step", v.backwards_per_step);
  io("lr", v.learning_rates);
  io("loaders", v.loaders);
  io("cuda", v.cuda);
  io("dropped", v.dropped);
  io("saves", v.saves);
  io("saving", v.saving);
  io("compiling", v.compiling);
  io("sync", v.sync);
}

template <class Io>
void fields(Io& io, LensFramework::Setting& v) {
  io("name", v.name);
  io("value", v.value);
}

template <class Io>
void fields(Io& io, LensFramework& v) {
  io("name", v.name);
  io("settings", v.settings);
  io("applied", v.applied);
  io("refused", v.refused);
}

template <class Io>
void fields(Io& io, LensApplied& v) {
  io("what", v.what);
  io("site", v.site);
  io("text", v.text);
  io("applied", v.applied);
  io("refused", v.refused);
}

template <class Io>
void fields(Io& io, LensAck& v) {
  io("id", v.id);
  io("op", v.op);
  io("ok", v.ok);
  io("step", v.step);
  io("text", v.text);
}

template <class Io>
void fields(Io& io, LensOom& v) {
  io("step", v.step);
  io("phase", v.phase);
  io("shapes", v.shapes);
  io("text", v.text);
}

template <class Io>
void fields(Io& io, LensFault& v) {
  io("count", v.count);
  io("text", v.text);
}

template <class Io>
void fields(Io& io, LensBye& v) {
  io("steps", v.steps);
  io("exception", v.exception);
}

}  // namespace gputop
