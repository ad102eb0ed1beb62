package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.libc.KernelVariable;
import org.fibnuma.binding.libc.NetworkNamespace;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Three network namespaces of the test's own: a client, the kernel's router with a stateful filter and a masquerade of
 * IPv4, and a server.
 */
final class ConntrackBed implements AutoCloseable
{
    static final String SERVER = "198.51.100.2";
    static final String SERVER_IPV6 = "2001:db8:2::2";
    static final String CLIENT = "192.0.2.2";
    static final String CLIENT_IPV6 = "2001:db8:1::2";
    static final String MASQUERADE = "198.51.100.1";
    static final int LOW_LABEL = 5;
    static final int HIGH_LABEL = 100;

    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final int TIMEOUT_SECONDS = 30;
    private static final String RULES = """
        table inet filter {
          chain forward {
            type filter hook forward priority 0; policy drop;
            ct state established accept
            ct state new ct label set 5 ct label set 100 accept
          }
        }
        table ip nat {
          chain postrouting { type nat hook postrouting priority 100; oifname "r1" masquerade; }
        }
        """;

    private final String prefix = "fibct" + ProcessHandle.current().pid() + "-" + NEXT.getAndIncrement();
    private final List<String> namespaces = new ArrayList<>();

    ConntrackBed()
    {
        try
        {
            for (final String name : List.of(client(), router(), server()))
            {
                run("", "ip", "netns", "add", name);
                namespaces.add(name);
            }
            run("link add c0 type veth peer name r0 netns " + router() + "\naddr add 192.0.2.2/24 dev c0\n" +
                "addr add 2001:db8:1::2/64 dev c0 nodad\nlink set c0 up\nlink set lo up\n" +
                "route add default via 192.0.2.1\nroute add default via 2001:db8:1::1\n",
                "ip", "-n", client(), "-batch", "-");
            run("link add s0 type veth peer name r1 netns " + router() + "\naddr add 198.51.100.2/24 dev s0\n" +
                "addr add 2001:db8:2::2/64 dev s0 nodad\nlink set s0 up\nlink set lo up\n" +
                "route add default via 198.51.100.1\nroute add default via 2001:db8:2::1\n",
                "ip", "-n", server(), "-batch", "-");
            KernelVariable.set(router(), "ipv4.ip_forward", "1");
            KernelVariable.set(router(), "ipv6.conf.all.forwarding", "1");
            run("addr add 192.0.2.1/24 dev r0\naddr add 2001:db8:1::1/64 dev r0 nodad\nlink set r0 up\n" +
                "addr add 198.51.100.1/24 dev r1\naddr add 2001:db8:2::1/64 dev r1 nodad\nlink set r1 up\n",
                "ip", "-n", router(), "-batch", "-");
        }
        catch (final AssertionError | UncheckedIOException ex)
        {
            close();
            throw ex;
        }
    }

    void loadRules()
    {
        run(RULES, "ip", "netns", "exec", router(), "nft", "-f", "-");
    }

    String client()
    {
        return prefix + "c";
    }

    String router()
    {
        return prefix + "r";
    }

    String server()
    {
        return prefix + "s";
    }

    <T> T inRouter(final Supplier<T> action)
    {
        return NetworkNamespace.call(router(), action);
    }

    /** Runs a command in a namespace, and returns what it prints. It must succeed. */
    String in(final String namespace, final String command)
    {
        final List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        words.addAll(List.of(command.split(" ")));
        return run("", words.toArray(new String[0]));
    }

    /** Runs conntrack, of conntrack-tools, in the router. */
    String conntrack(final String arguments)
    {
        return in(router(), "conntrack " + arguments);
    }

    static void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not within " + TIMEOUT_SECONDS + " s: " + what);
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        namespaces.forEach(name -> run("", "ip", "netns", "delete", name));
        namespaces.clear();
    }

    private static String run(final String input, final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream standardInput = process.getOutputStream())
            {
                standardInput.write(input.getBytes(StandardCharsets.UTF_8));
            }
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0)
            {
                throw new AssertionError(String.join(" ", command) + ": " + output);
            }
            return output;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError(ex);
        }
    }
}
