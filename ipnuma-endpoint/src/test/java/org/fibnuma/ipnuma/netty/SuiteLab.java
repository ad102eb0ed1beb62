package org.fibnuma.ipnuma.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;
import org.fibnuma.ipnuma.stream.StreamLab;
import org.fibnuma.ipnuma.stream.StreamSettings;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Bootstraps for Netty's test suite: servers at the far end of a link of two endpoints, clients at the near end. */
final class SuiteLab implements AutoCloseable
{
    /** Where the suite's servers listen, on any free port. */
    static final IpnumaSocketAddress FAR = new IpnumaSocketAddress(2, 0);
    /** An address of the near end. */
    static final IpnumaSocketAddress NEAR = new IpnumaSocketAddress(1, 0);

    private static final int THREADS = 2;
    private static final int CONNECTIONS = 128;
    private static final int RING = 128 * 1024;
    private static final String MISSING_PEER = """
        [[peer]]
        id = 9
        address = "10.9.0.9"
        """;

    private final StreamLab lab;
    private final EventLoopGroup near;
    private final EventLoopGroup far;

    private SuiteLab(final StreamLab lab)
    {
        this.lab = lab;
        near = group("near", lab.settings(1).withRings(CONNECTIONS, RING));
        far = group("far", lab.settings(2).withRings(CONNECTIONS, RING));
    }

    /** Starts both endpoints, which share memory. */
    static SuiteLab overShm(final Path directory) throws Exception
    {
        return new SuiteLab(new StreamLab(directory, "", MISSING_PEER));
    }

    /** Starts both endpoints, connected within the process. */
    static SuiteLab overMemory(final Path directory) throws Exception
    {
        return new SuiteLab(StreamLab.overMemory(directory, MISSING_PEER));
    }

    /** Starts both endpoints in network namespaces of their own; needs root. */
    static SuiteLab overXdp(final Path directory) throws Exception
    {
        return new SuiteLab(StreamLab.overXdp(directory, MISSING_PEER));
    }

    private static EventLoopGroup group(final String name, final StreamSettings settings)
    {
        return new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory(name, true), IpnumaIoHandler.newFactory(settings));
    }

    /** Returns settings of another program at the near end. */
    StreamSettings nearSettings()
    {
        return lab.settings(1);
    }

    List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> sockets()
    {
        return List.of(new BootstrapComboFactory<>()
        {
            @Override
            public ServerBootstrap newServerInstance()
            {
                return server();
            }

            @Override
            public Bootstrap newClientInstance()
            {
                return client();
            }
        });
    }

    List<BootstrapFactory<ServerBootstrap>> servers()
    {
        return List.of(this::server);
    }

    List<BootstrapFactory<Bootstrap>> clients()
    {
        return List.of(this::client);
    }

    /** Clients for tests that connect to hosts of IP: every name is peer 9, and every address is peer 2. */
    List<BootstrapFactory<Bootstrap>> resolvingClients()
    {
        return List.of(() -> client().resolver(new Hosts()));
    }

    ServerBootstrap server()
    {
        return new ServerBootstrap().group(far).channel(IpnumaServerSocketChannel.class);
    }

    private Bootstrap client()
    {
        return new Bootstrap().group(near).channel(IpnumaSocketChannel.class);
    }

    @Override
    public void close()
    {
        near.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        far.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        lab.close();
    }

    private static final class Hosts extends AddressResolverGroup<InetSocketAddress>
    {
        @Override
        protected AddressResolver<InetSocketAddress> newResolver(final EventExecutor executor)
        {
            return new AbstractAddressResolver<>(executor, InetSocketAddress.class)
            {
                @Override
                protected boolean doIsResolved(final InetSocketAddress address)
                {
                    return !address.isUnresolved() && address.getAddress().getHostAddress().startsWith("0.0.");
                }

                @Override
                protected void doResolve(final InetSocketAddress address, final Promise<InetSocketAddress> promise)
                {
                    promise.setSuccess(
                        new InetSocketAddress(address.isUnresolved() ? "0.0.0.9" : "0.0.0.2", address.getPort()));
                }

                @Override
                protected void doResolveAll(
                    final InetSocketAddress address, final Promise<List<InetSocketAddress>> promise)
                {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }
}
