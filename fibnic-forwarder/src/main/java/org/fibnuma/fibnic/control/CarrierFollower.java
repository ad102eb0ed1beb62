package org.fibnuma.fibnic.control;

import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Shows the kernel the link of each port that it does not see, as the carrier of the interface that stands for it. */
final class CarrierFollower
{
    private final List<Port> ports;
    private final Map<Integer, KernelPort> exceptions;
    private final boolean[] shown;
    private volatile boolean started;

    /** With an interface for some ports by their index. All have a carrier, as interfaces begin. */
    CarrierFollower(final List<Port> ports, final Map<Integer, KernelPort> exceptions)
    {
        this.ports = ports;
        this.exceptions = exceptions;
        this.shown = new boolean[ports.size()];
        Arrays.fill(shown, true);
    }

    /** The ports run: until then they have no link to show. Any thread. */
    void start()
    {
        started = true;
    }

    /** Looks at every link; yields how many have changed. */
    int poll()
    {
        int changed = 0;
        if (!started)
        {
            return changed;
        }
        for (final Map.Entry<Integer, KernelPort> entry : exceptions.entrySet())
        {
            final int port = entry.getKey();
            final boolean up = ports.get(port).linkUp();
            if (up != shown[port])
            {
                entry.getValue().carrier(up);
                shown[port] = up;
                changed++;
            }
        }
        return changed;
    }
}
