package org.fibnuma.fibnic.metrics;

/**
 * A VLAN interface at one moment.
 *
 * @param name    in the kernel.
 * @param port    name of its port.
 * @param up      whether its link is up and it exists.
 * @param traffic by ordinal of {@link org.fibnuma.fibnic.fate.VlanTraffic.Counter}.
 */
public record VlanSample(String name, String port, boolean up, long[] traffic)
{
}
