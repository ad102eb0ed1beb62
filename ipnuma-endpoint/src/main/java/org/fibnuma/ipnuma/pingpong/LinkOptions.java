package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.agent.ThreadPinning;
import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;

/** What both ends have to be told. */
final class LinkOptions
{
    private static final int LARGEST = 1024;
    private static final int MAX_PORT = 65_535;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--transport", defaultValue = "udp", paramLabel = "WHAT",
        description = "udp or udp-poll (default: ${DEFAULT-VALUE}).")
    private Transport transport;

    @Option(names = "--address", paramLabel = "HOST:PORT", description = "Of the server.")
    private String address;

    @Option(
        names = "--size", defaultValue = "4", paramLabel = "BYTES",
        description = "Of the message, a multiple of 4 up to " + LARGEST + "; both ends the same " +
            "(default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
        names = "--core", paramLabel = "N",
        description = "To pin the thread to, -1 for none (default: the last but one for the server, the last for " +
            "the client).")
    private Integer core;

    Transport transport()
    {
        return transport;
    }

    int size()
    {
        if (size < Integer.BYTES || size > LARGEST || size % Integer.BYTES != 0)
        {
            throw usage("--size must be a multiple of 4 from 4 to " + LARGEST + ": " + size);
        }
        return size;
    }

    /**
     * Pins the calling thread.
     *
     * @param fromLast which core where the user did not say: 0 for the last one.
     */
    void pin(final int fromLast)
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        final int chosen = core != null ? core : processors > fromLast ? processors - 1 - fromLast :
            ThreadPinning.ANY_CORE;
        if (chosen < ThreadPinning.ANY_CORE || chosen >= processors)
        {
            throw usage("--core must be -1 to " + (processors - 1) + ": " + chosen);
        }
        if (chosen != ThreadPinning.ANY_CORE)
        {
            ThreadPinning.load().pinCurrentThread(chosen);
        }
    }

    /** Where the server of a socket transport waits. */
    InetSocketAddress address()
    {
        if (address == null)
        {
            throw usage("--transport " + transport.label() + " needs --address HOST:PORT");
        }
        final int colon = address.lastIndexOf(':');
        final String port = address.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT || port.equals("0"))
        {
            throw usage("--address must be HOST:PORT, such as 10.9.0.2:9000: \"" + address + "\"");
        }
        final InetSocketAddress resolved =
            new InetSocketAddress(address.substring(0, colon), Integer.parseInt(port));
        if (resolved.isUnresolved())
        {
            throw usage("--address: there is no host \"" + resolved.getHostString() + "\"; give its IP address");
        }
        return resolved;
    }

    CommandLine.ParameterException usage(final String what)
    {
        return new CommandLine.ParameterException(spec.commandLine(), what);
    }
}
