package org.fibnuma.core.service.http;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.ListenAddress;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.service.config.TomlSection;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The table {@code [http]} of a configuration: an HTTP server without passwords and encryption.
 *
 * @param listen          address and TCP port; 0 for a port that the kernel chooses and the log contains.
 * @param allowOtherHosts whether other hosts may reach the address.
 * @param allowOtherUsers whether all users of this host may read, or only root, the process's user and its group.
 * @param hostNames       host names in lower case for URLs of the server, beside IP addresses and localhost.
 * @param line            line of the address in the file, or of the table.
 */
public record HttpConfig(
    InetSocketAddress listen,
    boolean allowOtherHosts,
    boolean allowOtherUsers,
    Set<String> hostNames,
    int line)
{
    /** One of 9100 to 9999, which exporters of Prometheus use. */
    public static final int DEFAULT_PORT = 9473;
    /** Loopback, because every client that can connect can read everything. */
    public static final String DEFAULT_LISTEN = "127.0.0.1:" + DEFAULT_PORT;
    /** Default of an endpoint: the port after that of a router, which can run on the same host. */
    public static final String DEFAULT_ENDPOINT_LISTEN = "127.0.0.1:" + (DEFAULT_PORT + 1);

    private static final ConfigTable KEYS = new ConfigTable();

    public static final ConfigKey<String> LISTEN = KEYS.string(
        "listen", "an IP address and a port", "127.0.0.1:9480", null)
        .byDefault("`\"" + DEFAULT_LISTEN + "\"`; of an endpoint `\"" + DEFAULT_ENDPOINT_LISTEN + "\"`")
        .restart("Address of the server. With port 0 the kernel chooses one, which the log names.");
    public static final ConfigKey<Boolean> ALLOW_OTHER_HOSTS = KEYS.bool("allow-other-hosts", false)
        .restart("Whether `listen` may be an address that other hosts can reach. The server asks for no password.");
    public static final ConfigKey<Boolean> ALLOW_OTHER_USERS = KEYS.bool("allow-other-users", false)
        .restart("Whether all users of this host may read. Otherwise only root, the process's user and its group may.");
    public static final ConfigKey<List<String>> HOST_NAMES = KEYS.strings(
        "host-names", "host names", "router1.example.net")
        .restart("Names that clients may use in the URL, beside IP addresses and `localhost`.");

    /** The table, for the top of a file. */
    public static final ConfigTable TABLES = new ConfigTable();
    /** Key of the table. */
    public static final ConfigKey<TomlSection> TABLE = TABLES.table("http", KEYS)
        .restart("The live page and metrics of a router or an endpoint. Without this table there is no server.");

    /**
     * Reads the table; wrong values become problems of the file.
     *
     * @param root          of the file, with {@link #TABLES}.
     * @param defaultListen address and port if the table has none.
     * @return null if the file has no such table.
     */
    public static HttpConfig read(final TomlSection root, final String defaultListen)
    {
        final TomlSection http = root.get(TABLE);
        if (http == null)
        {
            return null;
        }
        final InetSocketAddress standard = ListenAddress.parse(defaultListen, DEFAULT_PORT);
        final HttpConfig config = new HttpConfig(
            http.parse(LISTEN, http.get(LISTEN, defaultListen),
                text -> ListenAddress.parse(text, standard.getPort()), standard),
            http.get(ALLOW_OTHER_HOSTS),
            http.get(ALLOW_OTHER_USERS),
            hostNames(http),
            http.lineOf(LISTEN));
        if (!config.allowOtherHosts() && !config.listen().getAddress().isLoopbackAddress())
        {
            http.wrong(LISTEN, config.listenText() + " is not a loopback address, and the server asks for no " +
                "password; listen on \"" + defaultListen + "\", or accept this with " + ALLOW_OTHER_HOSTS +
                " = true");
        }
        http.refuseUnknownKeys();
        return config;
    }

    private static Set<String> hostNames(final TomlSection http)
    {
        final Set<String> names = new TreeSet<>();
        for (final String name : http.get(HOST_NAMES))
        {
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9.-]*"))
            {
                http.wrong(HOST_NAMES, "\"" + name + "\" is not a host name; give one without a port, such as " +
                    "\"router1.example.net\"");
            }
            names.add(name.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    /**
     * Returns a server that is bound to the address and accepts no client yet.
     *
     * @throws IOException with a reason for the user and what to do.
     */
    public HttpServer bind() throws IOException
    {
        try
        {
            return HttpServer.bind(listen, hostNames, allowOtherUsers || allowOtherHosts);
        }
        catch (final IOException ex)
        {
            throw new IOException(reason(ex), ex);
        }
    }

    private String reason(final IOException failure)
    {
        try
        {
            if (!listen.getAddress().isAnyLocalAddress() &&
                NetworkInterface.getByInetAddress(listen.getAddress()) == null)
            {
                return listen.getAddress().getHostAddress() +
                    " is not an address of this host; give one that \"ip address\" shows, or 127.0.0.1:" +
                    (listen.getPort() == 0 ? DEFAULT_PORT : listen.getPort());
            }
        }
        catch (final SocketException ignore)
        {
            // The reason of the kernel remains.
        }
        return "cannot listen on " + listenText() + ": " + failure.getMessage() +
            "; give a port that no other process has";
    }

    /** Returns the address with its port, as in the configuration. */
    public String listenText()
    {
        return SocketAddressText.format(listen);
    }
}
