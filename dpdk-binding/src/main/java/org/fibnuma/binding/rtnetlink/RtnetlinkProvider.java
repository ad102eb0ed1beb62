package org.fibnuma.binding.rtnetlink;

import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkProvider;

/** Opens conversations over rtnetlink. Needs no privilege to listen, CAP_NET_ADMIN to resolve neighbours. */
public final class RtnetlinkProvider implements KernelNetworkProvider
{
    @Override
    public KernelNetwork open()
    {
        return RtnetlinkKernelNetwork.open(RtnetlinkKernelNetwork.RECEIVE_BUFFER_LENGTH);
    }
}
