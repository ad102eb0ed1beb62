package org.fibnuma.core.port.fault;

import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortProvider;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.Ports;

/** Opens {@code fault:DESCRIPTION/DEVICE}, such as {@code fault:loss=1,seed=7/xdp:eth1}. */
public final class FaultPortProvider implements PortProvider
{
    static final String SCHEME = "fault";

    /**
     * Returns the device of a configuration without {@code fault:DESCRIPTION/}; any other device is returned unchanged.
     */
    public static String underlying(final String device)
    {
        final int slash = device.indexOf('/');
        return device.startsWith(SCHEME + ":") && slash >= 0 ? underlying(device.substring(slash + 1)) : device;
    }

    @Override
    public String scheme()
    {
        return SCHEME;
    }

    @Override
    public String whyFixed()
    {
        return "its faults follow from the seed and the frames since the start of the router";
    }

    @Override
    public Port open(final PortRequest request)
    {
        final int slash = request.device().indexOf('/');
        if (slash < 0)
        {
            throw new UserException("port " + request.name() + ": fault:" + request.device() +
                " names no device; write fault:loss=1,seed=7/xdp:eth1");
        }
        final FaultSettings settings = FaultSettings.parse(request.name(), request.device().substring(0, slash));
        final Port port = Ports.open(request.withDevice(request.device().substring(slash + 1)));
        return new FaultPort(port, request, settings);
    }
}
