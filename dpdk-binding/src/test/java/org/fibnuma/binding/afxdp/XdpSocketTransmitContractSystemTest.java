package org.fibnuma.binding.afxdp;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortSettings;

import java.io.IOException;

/** The same with the redirect off, so that every frame leaves by the socket. */
class XdpSocketTransmitContractSystemTest extends XdpPortContractSystemTest
{
    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
        throws IOException
    {
        return super.open(nearPool, farPool, new PortSettings(
            settings.rxRingSize(), settings.txRingSize(), settings.busyPollMicros(), settings.busyPollBudget(),
            settings.allowZeroCopy(), false, false));
    }
}
