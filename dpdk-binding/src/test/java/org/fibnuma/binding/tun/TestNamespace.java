package org.fibnuma.binding.tun;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** A network namespace of this test run without IPv6, so that nothing speaks that is not asked to. */
final class TestNamespace implements AutoCloseable
{
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String name = "fibnuma-tap-" + ProcessHandle.current().pid() + "-" + SERIAL.incrementAndGet();

    TestNamespace() throws IOException
    {
        run("ip", "netns", "add", name);
        exec("sh", "-c", "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; " +
            "echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; ip link set lo up");
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
            return run(all);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static String run(final String... command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes());
        try
        {
            process.waitFor(30, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        assertEquals(0, process.exitValue(), String.join(" ", command) + ": " + output);
        return output;
    }

    @Override
    public void close()
    {
        try
        {
            run("ip", "netns", "delete", name);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
