package org.fibnuma.binding.tun;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.KernelVariable;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A network namespace of this test run without IPv6, so that nothing speaks that is not asked to. */
final class TestNamespace implements AutoCloseable
{
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String name = "fibnuma-tap-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();

    TestNamespace() throws IOException
    {
        VethPair.run("ip", "netns", "add", name);
        KernelVariable.set(name, "ipv6.conf.all.disable_ipv6", "1");
        KernelVariable.set(name, "ipv6.conf.default.disable_ipv6", "1");
        setUp("lo");
    }

    String name()
    {
        return name;
    }

    void setUp(final String device)
    {
        exec("ip", "link", "set", device, "up");
    }

    /** Runs a program in the namespace, which must succeed, and returns what it printed. */
    String exec(final String... command)
    {
        final String[] all = new String[command.length + 4];
        System.arraycopy(new String[]{"ip", "netns", "exec", name}, 0, all, 0, 4);
        System.arraycopy(command, 0, all, 4, command.length);
        try
        {
            return VethPair.run(all);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    public void close()
    {
        try
        {
            VethPair.run("ip", "netns", "delete", name);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
