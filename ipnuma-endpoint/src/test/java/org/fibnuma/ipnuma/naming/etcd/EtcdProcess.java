package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.ipnuma.naming.CertificateFiles;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Debian's etcd with one member on loopback, which can be killed and started again. For one thread. */
final class EtcdProcess implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path data;
    private final CertificateFiles certificate;
    private final URI uri;
    private final URI peerUri;
    private ChildProcess process;

    EtcdProcess(final Path data, final CertificateFiles certificate) throws IOException
    {
        this.data = data;
        this.certificate = certificate;
        this.uri = URI.create((certificate == null ? "http" : "https") + "://127.0.0.1:" + freePort());
        this.peerUri = URI.create("http://127.0.0.1:" + freePort());
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    URI uri()
    {
        return uri;
    }

    /** Starts it; an earlier one has ended. */
    void start()
    {
        final List<String> command = new ArrayList<>(List.of(
            "etcd", "--name", "test", "--data-dir", data.toString(),
            "--listen-client-urls", uri.toString(), "--advertise-client-urls", uri.toString(),
            "--listen-peer-urls", peerUri.toString(), "--initial-advertise-peer-urls", peerUri.toString(),
            "--initial-cluster", "test=" + peerUri));
        if (certificate != null)
        {
            command.addAll(List.of(
                "--cert-file", certificate.certificate().toString(), "--key-file", certificate.key().toString(),
                "--client-cert-auth", "--trusted-ca-file", certificate.certificate().toString()));
        }
        process = ChildProcess.startTied(command.toArray(new String[0]));
        if (certificate == null)
        {
            ChildProcess.run(PATIENCE, "sh", "-c", "until " + ctl("endpoint", "health") +
                " >/dev/null 2>&1; do sleep 0.1; done");
        }
    }

    private String ctl(final String... arguments)
    {
        return "ETCDCTL_API=3 etcdctl --endpoints=" + uri + " " + String.join(" ", arguments);
    }

    /** Runs etcdctl and returns its output. */
    String run(final String... arguments)
    {
        return ChildProcess.run(PATIENCE, "sh", "-c", ctl(arguments));
    }

    void kill()
    {
        process.kill();
        process.awaitExit(PATIENCE);
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
    }
}
