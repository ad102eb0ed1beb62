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

    /** Returns a device without {@code fault:DESCRIPTION/}. */
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
    public void requireValid(final String name, final String device)
    {
        settings(name, device);
        Ports.requireValid(name, deviceOf(device));
    }

    @Override
    public void requirePresent(final String name, final String device)
    {
        Ports.requirePresent(name, deviceOf(device));
    }

    @Override
    public Port open(final PortRequest request)
    {
        final FaultSettings settings = settings(request.name(), request.device());
        final Port port = Ports.open(request.withDevice(deviceOf(request.device())));
        return new FaultPort(port, request, settings);
    }

    private static FaultSettings settings(final String name, final String device)
    {
        final int slash = device.indexOf('/');
        if (slash < 0)
        {
            throw new UserException(
                "port " + name + ": fault:" + device + " names no device; write fault:loss=1,seed=7/xdp:eth1");
        }
        return FaultSettings.parse(name, device.substring(0, slash));
    }

    private static String deviceOf(final String device)
    {
        return device.substring(device.indexOf('/') + 1);
    }
}
