package org.fibnuma.fibnic.rib;

import org.fibnuma.core.kernel.InterfacePolicy;

import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;

/**
 * What the kernel does not report about VLAN interfaces.
 *
 * @param pcp     returns the PCP of frames that leave by a VLAN interface, 0 to 7, for the index of its port and its
 *                index in the kernel.
 * @param policy  of the host for packets received by a VLAN interface, until {@link RoutingTables#vlanPolicy}.
 * @param onBegin called with the number of each VLAN interface that begins.
 */
public record VlanSettings(IntBinaryOperator pcp, InterfacePolicy policy, IntConsumer onBegin)
{
    /** PCP 0 and no restrictions. */
    public static final VlanSettings DEFAULT = new VlanSettings((port, vlan) -> 0, InterfacePolicy.OPEN, number -> {});
}
