package org.fibnuma.ipnuma.memcached;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.service.command.Commands;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.service.log.JournalErrors;
import org.fibnuma.core.service.notify.ServiceNotifications;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.memcached.socket.MemcachedServer;
import org.fibnuma.ipnuma.memcached.socket.MemcachedSettings;
import org.fibnuma.ipnuma.memcached.store.StoreSettings;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Runs a memcached server until a signal stops it. Main class. */
@Command(
    name = "fibnuma memcached",
    mixinStandardHelpOptions = true,
    description = {
        "Serves memcached's text protocol and meta commands over TCP, UDP and streams of IP-NUMA, all at once, " +
            "until SIGTERM or SIGINT.",
        "Prints one line \"ready\" with the addresses when clients can connect.",
        "There is no password: every client that reaches an address can read and write everything.",
        "When the endpoint of --name is lost, its connections end, and streams are served again when it is back.",
        "Exit status: 0 ended by a signal, 1 could not run or go on, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma memcached --tcp 127.0.0.1:11211 --udp 127.0.0.1:11211 --memory 256",
        "  fibnuma memcached --ipnuma ipnuma:2/11211 --name b",
        "  fibnuma memcached --ipnuma ipnuma:2/11211 --endpoint b.toml --idle busy"
    })
public final class MemcachedCommand implements Callable<Integer>
{
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int MEBIBYTE_BITS = 20;
    private static final int POLL_MS = 1000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--tcp", paramLabel = "ADDR:PORT",
        description = "Listen on this address (default without another transport: 127.0.0.1:11211).")
    private String tcp;

    @Option(
        names = "--udp", paramLabel = "ADDR:PORT",
        description = "Receive datagrams on this address. For a request with a forged source address, the server " +
            "sends up to 64 KiB to another host: use it only where senders are known.")
    private String udp;

    @Option(
        names = "--ipnuma", paramLabel = "ipnuma:PC-ID/PORT",
        description = "Listen on streams of the running endpoint of this machine with that PC ID.")
    private String ipnuma;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The running endpoint, for --ipnuma (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(
        names = "--endpoint", paramLabel = "FILE",
        description = "Run the endpoint of this configuration in this process, on the thread of the streams, for the " +
            "lowest latency, in place of --name.")
    private Path endpointFile;

    @Option(
        names = "--idle", defaultValue = IdleStrategies.BACKOFF, paramLabel = "STRATEGY",
        description = "What the thread of streams does without traffic: busy, yield or backoff " +
            "(default: ${DEFAULT-VALUE}).")
    private String idle;

    @Option(
        names = "--memory", defaultValue = "64", paramLabel = "MB",
        description = "Memory for items in MiB (default: ${DEFAULT-VALUE}).")
    private long memory;

    @Option(
        names = "--max-item", defaultValue = "1048576", paramLabel = "BYTES",
        description = "Largest item with key and header (default: ${DEFAULT-VALUE}).")
    private int maxItem;

    @Option(
        names = "--max-connections", defaultValue = "1024", paramLabel = "N",
        description = "Connections of all transports at once; further ones are refused (default: ${DEFAULT-VALUE}).")
    private int maxConnections;

    /** Creates the command, for picocli. */
    public MemcachedCommand()
    {
    }

    /** Runs the command and ends the process with its exit status. */
    public static void main(final String[] args)
    {
        final CommandLine command = commandLine();
        JournalErrors.standardError().ifPresent(command::setErr);
        System.exit(command.execute(args));
    }

    /** Returns the command, ready for execution. An exception becomes one line on standard error. */
    static CommandLine commandLine()
    {
        final CommandLine command = Commands.prepare(new CommandLine(new MemcachedCommand()));
        return command.setExecutionExceptionHandler((exception, commandLine, parsed) ->
        {
            final String message = exception.getMessage();
            commandLine.getErr().println("fibnuma: " + (message == null ? exception.toString() : message));
            commandLine.getErr().flush();
            return FAILED;
        });
    }

    @Override
    public Integer call() throws InterruptedException
    {
        final EndpointConfig config = endpointConfig();
        // Options are checked before anything is opened.
        settings(config, null);
        if (config != null)
        {
            config.logLevel().apply();
        }
        final ServiceNotifications notifications = ServiceNotifications.ofThisProcess();
        try (Termination termination = new Termination();
            Endpoint endpoint = config == null ? null : Endpoint.open(config, ChannelListener.NONE);
            MemcachedServer server = open(settings(config, endpoint == null ? null : endpoint.companion()), endpoint))
        {
            spec.commandLine().getOut().println("ready " + String.join(" ", server.addresses()));
            spec.commandLine().getOut().flush();
            notifications.ready("memcached serves on " + String.join(" ", server.addresses()));
            while (!termination.await(POLL_MS))
            {
                notifications.watchdog();
                if (server.failure() != null)
                {
                    throw new UserException(server.failure());
                }
            }
            notifications.stopping();
        }
        return OK;
    }

    private EndpointConfig endpointConfig()
    {
        if (endpointFile == null)
        {
            return null;
        }
        if (ipnuma == null)
        {
            throw new CommandLine.ParameterException(
                spec.commandLine(), "--endpoint needs --ipnuma ipnuma:PC-ID/PORT, where its peers find the server");
        }
        try
        {
            return EndpointConfigReader.read(endpointFile);
        }
        catch (final ConfigException ex)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), ex.getMessage(), ex);
        }
    }

    private static MemcachedServer open(final MemcachedSettings settings, final Endpoint endpoint)
    {
        if (endpoint != null)
        {
            endpoint.start();
        }
        return MemcachedServer.open(settings);
    }

    private MemcachedSettings settings(final EndpointConfig config, final CompanionEndpoint companion)
    {
        final String listen = tcp == null && udp == null && ipnuma == null ? "127.0.0.1:11211" : tcp;
        return usageOf("", text -> new MemcachedSettings(
            address("--tcp", listen), address("--udp", udp),
            ipnuma == null ? null : usageOf("--ipnuma: ", prefix -> IpnumaSocketAddress.parse(ipnuma)),
            config == null ? name : config.name(), companion, idle, maxConnections,
            new StoreSettings(memory << MEBIBYTE_BITS, maxItem)));
    }

    private InetSocketAddress address(final String option, final String text)
    {
        return text == null ? null : usageOf(option + ": ", prefix -> SocketAddressText.parse(text));
    }

    /** Returns a value, or ends the command with a prefix and the message of the exception. */
    private <T> T usageOf(final String prefix, final Function<String, T> value)
    {
        try
        {
            return value.apply(prefix);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), prefix + ex.getMessage());
        }
    }
}
