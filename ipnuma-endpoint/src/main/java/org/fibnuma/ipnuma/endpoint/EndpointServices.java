package org.fibnuma.ipnuma.endpoint;

import org.agrona.CloseHelper;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.CompanionWrites;
import org.fibnuma.ipnuma.client.host.ClientRings;
import org.fibnuma.ipnuma.client.host.ClientSettings;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.memory.RegionFile;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.NameDirectory;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.fibnuma.ipnuma.naming.etcd.DirectoryRegistration;
import org.fibnuma.ipnuma.naming.socket.NameServer;
import org.fibnuma.ipnuma.table.Region;
import org.fibnuma.ipnuma.table.RegionTable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * Serves clients in other processes and lookups of regions by name, and registers the endpoint in the directory.
 * Methods are for the endpoint's thread unless they say otherwise. The name server and the registration have separate
 * threads and use copies.
 */
final class EndpointServices implements EndpointService, AutoCloseable
{
    private final RegionTable table;
    private final NameDirectory directory;
    private ClientRings clients;
    private NameServer names;
    private EndpointCounters counters;
    private long givenUp;
    private final EndpointConfig config;
    private final int epoch;
    private DirectoryRegistration registration;
    private int registeredEpoch;

    private EndpointServices(final EndpointConfig config, final int epoch, final RegionTable table)
    {
        this.config = config;
        this.epoch = epoch;
        this.table = table;
        this.directory = new NameDirectory(config.name(), epoch, config.services().namesAllow());
        directory.publish(table);
    }

    /**
     * Opens the configured services.
     *
     * @param config    of the endpoint.
     * @param directory of the endpoint.
     * @param epoch     of this start.
     * @param store     of the regions; closed after this object.
     * @param files     of the configured regions.
     * @param table     contains the regions.
     * @throws UserException with one line for the user.
     */
    static EndpointServices open(
        final EndpointConfig config,
        final Path directory,
        final int epoch,
        final RegionStore store,
        final List<RegionFile> files,
        final RegionTable table)
    {
        try
        {
            return AllOrNothing.open(new EndpointServices(config, epoch, table), services ->
            {
                services.openClients(config, directory, epoch, store, files);
                services.openNames(config);
            });
        }
        catch (final UserException ex)
        {
            throw new UserException(config.file() + ": " + ex.getMessage());
        }
    }

    private void openClients(
        final EndpointConfig config,
        final Path directoryPath,
        final int epoch,
        final RegionStore store,
        final List<RegionFile> files)
    {
        final int places = config.services().clients();
        if (places == 0)
        {
            return;
        }
        final ClientSettings settings = new ClientSettings(
            directoryPath, epoch, config.services().clientTimeoutNs(), places, ClientSettings.DEFAULT_RING_CAPACITY,
            files.size() + ClientSettings.DEFAULT_REGION_CAPACITY, ClientSettings.DEFAULT_REGION_BYTES);
        clients = ClientRings.open(settings, store, table, System.nanoTime());
        files.forEach(clients::announce);
    }

    private void openNames(final EndpointConfig config)
    {
        final InetSocketAddress address = config.services().names();
        if (address != null)
        {
            final InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
            final CertificateFiles certificate = config.services().certificate();
            names = certificate == null ? NameServer.start(resolved, directory) :
                NameServer.start(resolved, directory, certificate);
        }
    }

    /** Returns a listener that notifies clients as well as the application. */
    ChannelListener listening(final ChannelListener application)
    {
        return clients == null ? application : new ClientEvents(clients, application);
    }

    /** Connects clients to the peers, before the first duty cycle. */
    void connect(final EndpointAgent agent)
    {
        if (clients != null)
        {
            clients.connect(agent::channel);
        }
        counters = agent.counters();
        if (config.directory() != null)
        {
            registration = DirectoryRegistration.start(config.directory().settings(), entry());
        }
    }

    private DirectoryEntry entry()
    {
        registeredEpoch = table.epoch();
        final InetSocketAddress server = config.services().names();
        return DirectoryEntry.of(config.name(), config.network().ipv4(), epoch,
            server == null ? null : server.getHostString() + ":" + server.getPort(), table.regions());
    }

    /** Replaces the sources that may look up every region; any thread. */
    void trust(final List<Ipv4Prefix> sources)
    {
        directory.trust(sources);
    }

    /** Returns the writes of a client, with a slot in the file for clients, that runs this endpoint. */
    CompanionWrites writes(final int slot)
    {
        return clients.writes(slot);
    }

    /** Returns the regions of the table; any thread. */
    List<Region> announced()
    {
        return directory.regions();
    }

    @Override
    public int poll(final long nowNs)
    {
        final int work = clients == null ? 0 : pollClients(nowNs);
        directory.publish(table);
        if (registration != null && registeredEpoch != table.epoch())
        {
            registration.update(entry());
        }
        return work;
    }

    /** Reports every unanswered request of a client as unanswered. */
    @Override
    public void onFault()
    {
        if (clients != null)
        {
            clients.onFault();
        }
    }

    private int pollClients(final long nowNs)
    {
        final int work = clients.poll(nowNs);
        if (givenUp != clients.diedCount())
        {
            counters.add(EndpointCounter.CLIENTS_GIVEN_UP, clients.diedCount() - givenUp);
            givenUp = clients.diedCount();
        }
        return work;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(registration, names, clients);
    }
}
