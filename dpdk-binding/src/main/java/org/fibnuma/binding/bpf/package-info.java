/**
 * eBPF without a compiler: {@link org.fibnuma.binding.bpf.BpfAssembler} puts a program together,
 * {@link org.fibnuma.binding.bpf.BpfProgram} loads it, {@link org.fibnuma.binding.bpf.BpfMap} is the memory that it
 * shares with this process and {@link org.fibnuma.binding.bpf.BpfLink} attaches it to an interface for as long as
 * this process lives. All of it is control code, over bpf(2).
 */
package org.fibnuma.binding.bpf;
