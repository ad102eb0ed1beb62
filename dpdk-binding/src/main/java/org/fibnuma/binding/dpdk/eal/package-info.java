/**
 * DPDK's libraries through jnr-ffi: {@link org.fibnuma.binding.dpdk.eal.DpdkLibraries} loads them and refuses unknown
 * releases, {@link org.fibnuma.binding.dpdk.eal.Eal} starts the environment once for the process,
 * {@link org.fibnuma.binding.dpdk.eal.Mempool} and {@link org.fibnuma.binding.dpdk.eal.EthDevice} are its objects.
 * Functions that DPDK's headers define inline, such as the bursts, are called by address with
 * {@link org.fibnuma.binding.dpdk.eal.FunctionPointer}; no C is compiled.
 */
@org.fibnuma.core.Internal
package org.fibnuma.binding.dpdk.eal;
