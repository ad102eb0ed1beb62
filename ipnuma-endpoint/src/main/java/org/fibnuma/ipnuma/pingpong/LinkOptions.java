package org.fibnuma.ipnuma.pingpong;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.config.PeerConfig;
import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Options of both ends. */
final class LinkOptions
{
    private static final int LARGEST = 1024;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--transport", defaultValue = "ipnuma", paramLabel = "WHAT",
        description = "ipnuma, udp or udp-poll (default: ${DEFAULT-VALUE}).")
    private Transport transport;

    @Option(
        names = { "-c", "--config" }, paramLabel = "FILE",
        description = "Configuration of the endpoint (TOML), for ipnuma; see man fibnuma.toml.")
    private Path file;

    @Option(
        names = "--peer", paramLabel = "ID",
        description = "PC ID of the other end, for ipnuma (default: the only peer of the file).")
    private Integer peer;

    @Option(names = "--address", paramLabel = "HOST:PORT", description = "Address of the server, for udp and udp-poll.")
    private String address;

    @Option(
        names = "--size", defaultValue = "4", paramLabel = "BYTES",
        description = "Length of the message, a multiple of 4 up to " + LARGEST + ", equal at both ends " +
            "(default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
        names = "--core", paramLabel = "N",
        description = "Core to pin the thread to, -1 for none " +
            "(default: the last but one for the server, the last for the client).")
    private Integer core;

    @Option(
        names = "--idle", defaultValue = IdleStrategies.BUSY, paramLabel = "STRATEGY",
        description = "What the thread does between polls: busy, or, where it has no core of its own, yield or " +
            "backoff (default: ${DEFAULT-VALUE}).")
    private String idle;

    Transport transport()
    {
        return transport;
    }

    /**
     * Opens this end of the connection. Throws ConfigException with a line for each problem of the endpoint's file, or
     * a RuntimeException with a message of one line.
     */
    CounterLink open(final boolean isServer) throws ConfigException
    {
        if (!IdleStrategies.NAMES.contains(idle))
        {
            throw usage("--idle must be one of " + String.join(", ", IdleStrategies.NAMES) + ": " + idle);
        }
        final CounterLink link = openTransport(isServer);
        return idle.equals(IdleStrategies.BUSY) ? link : new IdlingLink(link, IdleStrategies.of(idle));
    }

    private CounterLink openTransport(final boolean isServer) throws ConfigException
    {
        if (transport == Transport.IPNUMA)
        {
            return openIpnuma();
        }
        if (file != null)
        {
            throw usage("--transport " + transport.label() + " needs --address instead of -c");
        }
        final boolean polled = transport == Transport.UDP_POLL;
        return isServer ? UdpLink.server(address(), size(), polled) : UdpLink.client(address(), size(), polled);
    }

    private CounterLink openIpnuma() throws ConfigException
    {
        if (file == null || address != null)
        {
            throw usage("--transport ipnuma needs -c FILE instead of --address");
        }
        final EndpointConfig config = EndpointConfigReader.read(file);
        if (peer == null && config.peers().size() != 1)
        {
            throw usage("--peer: " + file + " has " + config.peers().size() + " peers; give the id of one");
        }
        final PeerConfig chosen = peer == null ? config.peers().get(0) : config.peer(peer);
        if (chosen == null)
        {
            throw usage("--peer: " + file + " has no peer " + peer);
        }
        if (core == null && config.thread().core() != ThreadPinning.ANY_CORE)
        {
            core = config.thread().core();
        }
        config.logLevel().apply();
        return IpnumaLink.open(config, chosen, size());
    }

    int size()
    {
        if (size < Integer.BYTES || size > LARGEST || size % Integer.BYTES != 0)
        {
            throw usage("--size must be a multiple of 4 from 4 to " + LARGEST + ": " + size);
        }
        return size;
    }

    /** Pins the calling thread. The default core is counted backwards from the last one, which is 0. */
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

    private InetSocketAddress address()
    {
        if (address == null)
        {
            throw usage("--transport " + transport.label() + " needs --address HOST:PORT");
        }
        try
        {
            return SocketAddressText.parse(address);
        }
        catch (final IllegalArgumentException ex)
        {
            throw usage("--address: " + ex.getMessage());
        }
    }

    CommandLine.ParameterException usage(final String what)
    {
        return new CommandLine.ParameterException(spec.commandLine(), what);
    }
}
