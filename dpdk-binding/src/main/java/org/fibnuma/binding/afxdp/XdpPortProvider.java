package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;

import java.util.List;

/** Opens {@code xdp:INTERFACE}. */
public final class XdpPortProvider implements PortProvider
{
    static final String SCHEME = "xdp";

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    @Override
    public int chunkSize(final String device, final PortSettings settings)
    {
        final NetworkDevice found = NetworkDevice.isName(device) ? NetworkDevice.read(device) : null;
        return found == null ? 0 : ReceiveBuffer.chunkSize(found, settings.allowZeroCopy());
    }

    @Override
    public String whyFixed()
    {
        return null;
    }

    @Override
    public void requirePresent(final String name, final String device)
    {
        XdpRequirements.requirePresent(
            device, new XdpFailure(new PortRequest(name, device, 0, List.of(), PortSettings.DEFAULT)));
    }

    @Override
    public Port open(final PortRequest request)
    {
        return XdpPort.open(request);
    }

    @Override
    public Port openDetached(final PortRequest request)
    {
        return XdpPort.openDetached(request);
    }
}
