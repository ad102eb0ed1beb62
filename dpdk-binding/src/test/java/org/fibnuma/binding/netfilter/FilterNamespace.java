package org.fibnuma.binding.netfilter;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A network namespace of a test, whose packet filters are set by nft and iptables. */
final class FilterNamespace implements AutoCloseable
{
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final String name = "fibnf" + ProcessHandle.current().pid() + "-" + NEXT.getAndIncrement();

    FilterNamespace()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("nft", "nftables");
        command("", "ip", "netns", "add", name);
    }

    String name()
    {
        return name;
    }

    <T> T call(final Supplier<T> action)
    {
        return NetworkNamespace.call(name, action);
    }

    /** Runs commands of iproute2 here; all must succeed. */
    void ip(final String... commands)
    {
        command(String.join("\n", commands), "ip", "-n", name, "-batch", "-");
    }

    /** Loads a ruleset; it must be accepted. */
    void nft(final String ruleset)
    {
        run(ruleset, "nft", "-f", "-");
    }

    /** Runs a program here, which must succeed, and returns what it prints. */
    String run(final String input, final String... program)
    {
        final List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
        command.addAll(Arrays.asList(program));
        return command(input, command.toArray(new String[0]));
    }

    @Override
    public void close()
    {
        command("", "ip", "netns", "delete", name);
    }

    private static String command(final String input, final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream standardInput = process.getOutputStream())
            {
                standardInput.write(input.getBytes(StandardCharsets.UTF_8));
            }
            final ByteArrayOutputStream output = new ByteArrayOutputStream();
            process.getInputStream().transferTo(output);
            if (process.waitFor() != 0)
            {
                throw new AssertionError(String.join(" ", command) + ": " + output);
            }
            return output.toString(StandardCharsets.UTF_8);
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
