package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkProvider;

/** Opens rtnetlink. Listening needs no privilege, resolving neighbours needs CAP_NET_ADMIN. */
public final class RtnetlinkProvider implements KernelNetworkProvider
{
    @Override
    public KernelNetwork open()
    {
        return RtnetlinkKernelNetwork.open(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH);
    }
}
