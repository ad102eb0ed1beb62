/**
 * DPDK's libraries through jnr-ffi: {@link org.fibnuma.binding.dpdk.eal.DpdkLibraries} loads them and refuses a release
 * that it does not know, {@link org.fibnuma.binding.dpdk.eal.Eal} starts the environment once for the process,
 * {@link org.fibnuma.binding.dpdk.eal.Mempool} and {@link org.fibnuma.binding.dpdk.eal.EthDevice} are its objects.
 * What DPDK's headers define inline, the bursts first of all, is called by address with
 * {@link org.fibnuma.binding.dpdk.eal.FunctionPointer}; no C is compiled.
 */
package org.fibnuma.binding.dpdk.eal;
