package org.fibnuma.ipnuma.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.SocketSslEchoTest;
import io.netty.testsuite.transport.socket.SocketSslGreetingTest;
import io.netty.testsuite.transport.socket.SocketSslSessionReuseTest;
import io.netty.testsuite.transport.socket.SocketStartTlsTest;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;

/** Classes of Netty's test suite for TLS, over streams. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class NettyTlsSuiteTest
{
    private SuiteLab lab;

    @BeforeAll
    void open(@TempDir final Path directory) throws Exception
    {
        lab = newLab(directory);
    }

    SuiteLab newLab(final Path directory) throws Exception
    {
        return SuiteLab.overMemory(directory);
    }

    @AfterAll
    void close()
    {
        CloseHelper.close(lab);
    }

    @Nested
    class SocketSslEcho extends SocketSslEchoTest
    {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories()
        {
            return lab.sockets();
        }

        @Override
        protected SocketAddress newSocketAddress()
        {
            return SuiteLab.FAR;
        }
    }

    @Nested
    class SocketSslGreeting extends SocketSslGreetingTest
    {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories()
        {
            return lab.sockets();
        }

        @Override
        protected SocketAddress newSocketAddress()
        {
            return SuiteLab.FAR;
        }
    }

    @Nested
    class SocketSslSessionReuse extends SocketSslSessionReuseTest
    {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories()
        {
            return lab.sockets();
        }

        @Override
        protected SocketAddress newSocketAddress()
        {
            return SuiteLab.FAR;
        }

        /** No test here: it needs OpenSSL. */
        @Override
        public void testSslSessionTrustManagerResumption(
            final SslContextBuilder server, final SslContextBuilder client, final TestInfo info)
        {
            throw new UnsupportedOperationException();
        }
    }

    @Nested
    class SocketStartTls extends SocketStartTlsTest
    {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories()
        {
            return lab.sockets();
        }

        @Override
        protected SocketAddress newSocketAddress()
        {
            return SuiteLab.FAR;
        }
    }
}
