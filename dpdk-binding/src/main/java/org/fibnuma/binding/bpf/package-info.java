/**
 * eBPF without a compiler: {@link org.fibnuma.binding.bpf.BpfAssembler} assembles a program,
 * {@link org.fibnuma.binding.bpf.BpfProgram} loads it, {@link org.fibnuma.binding.bpf.BpfMap} is memory shared with it,
 * and {@link org.fibnuma.binding.bpf.BpfLink} attaches it to an interface for the lifetime of this process. Control
 * code, over bpf(2).
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.bpf;
