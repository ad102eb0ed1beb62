package org.fibnuma.bench.system;

import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.service.netns.Host;

import java.time.Duration;
import java.util.List;

/** A network namespace of this machine. */
final class NamespaceMachine implements RouterMachine
{
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Host host;
    private RouterProcess process;

    NamespaceMachine(final Host host)
    {
        this.host = host;
    }

    @Override
    public String run(final String... command)
    {
        return host.run(command);
    }

    @Override
    public void give(final String device, final Host other, final String otherDevice)
    {
        other.take(host, device, otherDevice);
    }

    /** Of a TAP interface; an end of a veth pair has the carrier of the other. */
    @Override
    public void carrier(final String device, final boolean isOn)
    {
        run("ip", "link", "set", device, "carrier", isOn ? "on" : "off");
    }

    @Override
    public Host host()
    {
        return host;
    }

    @Override
    public void startRouter(final String name, final String config, final List<String> flags)
    {
        process = RouterProcess.start(host, config, PATIENCE, flags);
    }

    @Override
    public void stopRouter()
    {
        process.terminate();
        process.close();
        process = null;
    }

    @Override
    public boolean hasRouter()
    {
        return process != null;
    }

    @Override
    public List<String> log()
    {
        return process.errors();
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
        host.close();
    }
}
