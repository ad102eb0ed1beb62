package org.fibnuma.ipnuma.command;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.naming.NamedRegion;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.fibnuma.ipnuma.naming.etcd.DirectoryWatch;
import org.fibnuma.ipnuma.naming.socket.NameClient;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RemoteAddress;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Options of {@code read} and {@code write}: endpoint of this machine, peer, region and offset. */
final class RemoteOptions
{
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final String HEX_PREFIX = "0x";
    private static final int HEX = 16;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The running endpoint of this machine (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--peer", required = true, paramLabel = "ID", description = "PC ID of the peer.")
    private int peer;

    @Option(
        names = "--region", required = true, paramLabel = "REGION",
        description = "Region of the peer: its id, or with --names or --endpoint its name.")
    private String region;

    @Option(
        names = "--names", paramLabel = "HOST:PORT",
        description = "Name server of the peer (its [endpoint] names), which has the id and the key of the region.")
    private String names;

    @Option(
        names = "--names-ca", paramLabel = "FILE",
        description = "Use TLS, and trust only servers with a certificate of this CA (PEM). Without it keys are sent " +
            "over loopback only.")
    private Path namesAuthority;

    @Option(
        names = "--endpoint", paramLabel = "NAME",
        description = "Name of the peer in the directory (--etcd), which has the id of the region and the address of " +
            "the peer's name server; in place of --names.")
    private String peerName;

    @Mixin
    private DirectoryOptions directory;

    @Option(names = "--key", paramLabel = "0xHEX", description = "Key of the region (default: none).")
    private String key;

    @Option(
        names = "--offset", defaultValue = "0", paramLabel = "BYTES",
        description = "Offset in the region (default: ${DEFAULT-VALUE}).")
    private long offset;

    @Option(
        names = "--timeout-ms", defaultValue = "2000", paramLabel = "MS",
        description = "Maximum time to wait for an answer (default: ${DEFAULT-VALUE}).")
    private int timeoutMs;

    private int regionId;
    private long regionKey = Region.NO_KEY;

    String endpoint()
    {
        return name;
    }

    int peer()
    {
        return peer;
    }

    void resolve()
    {
        if (peerName != null)
        {
            lookUpInDirectory();
        }
        else if (names != null)
        {
            lookUp(names);
        }
        else
        {
            regionId = region.matches("[0-9]{1,5}") ? Integer.parseInt(region) : 0;
            if (regionId < 1 || regionId > RemoteAddress.MAX_REGION_ID)
            {
                throw usage("--region: \"" + region + "\" is not an id from 1 to " + RemoteAddress.MAX_REGION_ID +
                    "; names need --names HOST:PORT");
            }
        }
        if (key != null)
        {
            regionKey = parseKey();
        }
        if (offset < 0 || offset > RemoteAddress.OFFSET_MASK)
        {
            throw usage("--offset must be 0 to " + RemoteAddress.OFFSET_MASK + ": " + offset);
        }
    }

    private void lookUp(final String nameServer)
    {
        try (NameClient client = namesAuthority == null ? new NameClient() : new NameClient(namesAuthority))
        {
            final InetSocketAddress server = SocketAddressText.parse(nameServer);
            final NamedRegion found = key == null ? client.lookup(server, region, timeoutMs) :
                client.lookupWithoutKey(server, region, timeoutMs);
            regionId = found.id();
            regionKey = found.key();
        }
        catch (final IllegalArgumentException ex)
        {
            throw usage("--names: " + ex.getMessage());
        }
    }

    /** The directory has no keys. The name server of the peer, if it has one, returns the key of a region. */
    private void lookUpInDirectory()
    {
        if (!directory.isGiven() || names != null)
        {
            throw usage("--endpoint needs --etcd, and no --names");
        }
        final DirectoryEntry entry = DirectoryWatch.list(directory.settings()).stream()
            .filter(listed -> listed.name().equals(peerName)).findFirst()
            .orElseThrow(() -> new UserException("the directory has no endpoint " + peerName +
                "; \"fibnuma ipnuma directory\" lists those that it has"));
        regionId = entry.regions().stream()
            .filter(listed -> listed.name().equals(region)).findFirst()
            .orElseThrow(() -> new UserException("endpoint " + peerName + " has no region " + region +
                " in the directory; \"fibnuma ipnuma directory\" lists those that it has"))
            .id();
        if (key == null && entry.names() != null)
        {
            lookUp(entry.names());
        }
    }

    private long parseKey()
    {
        if (!key.matches("0x[0-9a-fA-F]{1,16}"))
        {
            throw usage("--key must be up to 64 bits in hexadecimal, such as 0x0123456789abcdef: " + key);
        }
        return Long.parseUnsignedLong(key.substring(HEX_PREFIX.length()), HEX);
    }

    /** Returns the target at an offset after that of the options. Called after {@link #resolve}. */
    long target(final int after)
    {
        return ClientMessage.target(peer, regionId, offset + after);
    }

    void sendKey(final EndpointClient client, final long correlation)
    {
        if (regionKey != Region.NO_KEY)
        {
            await(
                client, () -> client.tryKey(peer, regionId, regionKey, correlation), "the endpoint accepts no request");
        }
    }

    void await(final EndpointClient client, final BooleanSupplier met, final String otherwise)
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!met.getAsBoolean())
        {
            if (client.poll() == 0)
            {
                if (System.nanoTime() - deadline > 0)
                {
                    throw new UserException(otherwise + " within " + timeoutMs + " ms");
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    /** Polls the client a little longer: a refusal is a separate datagram, which another one may overtake. */
    void linger(final EndpointClient client)
    {
        final long deadline = System.nanoTime() + LINGER_NS;
        while (System.nanoTime() - deadline < 0)
        {
            client.poll();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    CommandLine.ParameterException usage(final String what)
    {
        return new CommandLine.ParameterException(spec.commandLine(), what);
    }
}
