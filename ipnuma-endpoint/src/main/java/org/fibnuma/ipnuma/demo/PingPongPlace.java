package org.fibnuma.ipnuma.demo;

import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;

/**
 * The two hosts of a ping-pong: network namespaces with a veth pair between them, or the loopback of this machine.
 * Other implementations have something between the hosts.
 */
public interface PingPongPlace extends AutoCloseable
{
    /** Returns a description for the user. */
    String description();

    /** Returns the address and port of a server with sockets of the kernel. */
    String socketAddress();

    /** Returns whether there are interfaces for AF_XDP. */
    boolean hasInterfaces();

    /** Returns the address of the endpoint on the host that answers. */
    default EndpointAddress serverEndpoint()
    {
        return EndpointAddress.of(SERVER_ID);
    }

    /** Returns the address of the endpoint on the host that counts. */
    default EndpointAddress clientEndpoint()
    {
        return EndpointAddress.of(CLIENT_ID);
    }

    /**
     * Returns what the threads that poll do while nothing arrives, a name of {@link IdleStrategies}. Threads that are
     * not busy are not pinned to cores.
     */
    default String idle()
    {
        return IdleStrategies.BUSY;
    }

    /** Starts a program on the host that answers. */
    ChildProcess startServer(String... command);

    /** Starts a program on the host that counts. */
    ChildProcess startClient(String... command);

    @Override
    void close();

    /** PC ID of the endpoint on the host that answers. */
    int SERVER_ID = 1;
    /** PC ID of the endpoint on the host that counts. */
    int CLIENT_ID = 2;
    /** End of the veth pair in the namespace of the server. */
    String SERVER_DEVICE = "va";
    /** End of the veth pair in the namespace of the client. */
    String CLIENT_DEVICE = "vb";

    /** Creates two network namespaces with a veth pair between them. Needs root. */
    static PingPongPlace namespaces()
    {
        return new Namespaces();
    }

    /** Returns the loopback of this machine as both hosts. */
    static PingPongPlace loopback()
    {
        return new Loopback();
    }

    /** Network namespaces. The kernel's addresses are in another network than those of the endpoints. */
    final class Namespaces implements PingPongPlace
    {
        private static final int MTU = 1500;

        private final Host server = Host.open("a");
        private final Host client;

        private Namespaces()
        {
            Host opened = null;
            try
            {
                opened = Host.open("b");
                server.connect(SERVER_DEVICE, opened, CLIENT_DEVICE, MTU);
                server.address(SERVER_DEVICE, "10.8.0.1/24");
                opened.address(CLIENT_DEVICE, "10.8.0.2/24");
                client = opened;
            }
            catch (final RuntimeException ex)
            {
                server.close();
                if (opened != null)
                {
                    opened.close();
                }
                throw ex;
            }
        }

        @Override
        public String description()
        {
            return "two network namespaces with a veth pair between them";
        }

        @Override
        public String socketAddress()
        {
            return "10.8.0.1:9000";
        }

        @Override
        public boolean hasInterfaces()
        {
            return true;
        }

        @Override
        public ChildProcess startServer(final String... command)
        {
            return server.start(command);
        }

        @Override
        public ChildProcess startClient(final String... command)
        {
            return client.start(command);
        }

        @Override
        public void close()
        {
            client.close();
            server.close();
        }
    }

    /** Loopback of this machine, which needs no root. */
    final class Loopback implements PingPongPlace
    {
        private static final int BASE_PORT = 20_000;
        private static final int PORTS = 10_000;

        @Override
        public String description()
        {
            return "the loopback of this machine";
        }

        @Override
        public String socketAddress()
        {
            return "127.0.0.1:" + (BASE_PORT + ProcessHandle.current().pid() % PORTS);
        }

        @Override
        public boolean hasInterfaces()
        {
            return false;
        }

        @Override
        public ChildProcess startServer(final String... command)
        {
            return ChildProcess.startTied(command);
        }

        @Override
        public ChildProcess startClient(final String... command)
        {
            return ChildProcess.startTied(command);
        }

        @Override
        public void close()
        {
        }
    }
}
