package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.KernelVariable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Two network namespaces of this test run with a veth between them: {@code near} with {@link #NEAR_ADDRESS} in one,
 * {@code far} with {@link #FAR_ADDRESS} in the other. Closing removes both.
 */
public final class VethPair implements AutoCloseable
{
    public static final String NEAR = "near";
    public static final String FAR = "far";
    static final String NEAR_ADDRESS = "10.77.0.1";
    static final String FAR_ADDRESS = "10.77.0.2";

    private static final String PREFIX = "fibnuma-" + ProcessHandle.current().pid() + "-";

    /**
     * Makes them.
     *
     * @param queues of both interfaces, each way.
     */
    public VethPair(final int queues) throws IOException
    {
        try
        {
            run("ip", "netns", "add", namespace(NEAR));
            run("ip", "netns", "add", namespace(FAR));
            connect(queues);
        }
        catch (final IOException | RuntimeException | AssertionError ex)
        {
            close();
            throw ex;
        }
    }

    /**
     * Makes the veth again where an end, and the other one with it, was deleted.
     *
     * @param queues of both interfaces, each way.
     */
    public void connect(final int queues) throws IOException
    {
        final String count = Integer.toString(queues);
        run("ip", "-n", namespace(NEAR), "link", "add", NEAR, "numrxqueues", count, "numtxqueues", count,
            "type", "veth", "peer", "name", FAR, "numrxqueues", count, "numtxqueues", count,
            "netns", namespace(FAR));
        setUp(NEAR, NEAR_ADDRESS);
        setUp(FAR, FAR_ADDRESS);
    }

    public static String namespace(final String end)
    {
        return PREFIX + end;
    }

    /** Runs a program in the namespace of an end and returns what it printed. */
    public static String in(final String end, final String... command) throws IOException
    {
        final List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace(end)));
        all.addAll(List.of(command));
        return run(all.toArray(new String[0]));
    }

    /** Runs a program, which must succeed, and returns what it printed. */
    public static String run(final String... command) throws IOException
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
        for (final String end : List.of(NEAR, FAR))
        {
            try
            {
                new ProcessBuilder("ip", "netns", "delete", namespace(end))
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            }
            catch (final IOException ignore)
            {
                // It was never made.
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void setUp(final String end, final String address) throws IOException
    {
        KernelVariable.set(namespace(end), "ipv6.conf.all.disable_ipv6", "1");
        KernelVariable.set(namespace(end), "ipv4.ip_forward", "0");
        in(end, "ip", "address", "add", address + "/24", "dev", end);
        in(end, "ip", "link", "set", end, "up");
        in(end, "ip", "link", "set", "lo", "up");
    }
}
