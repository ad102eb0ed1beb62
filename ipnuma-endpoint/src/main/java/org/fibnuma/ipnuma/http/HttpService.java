package org.fibnuma.ipnuma.http;

import org.agrona.CloseHelper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.service.http.HttpAnswer;
import org.fibnuma.core.service.http.HttpPaths;
import org.fibnuma.core.service.http.HttpResource;
import org.fibnuma.core.service.http.HttpServer;
import org.fibnuma.core.service.log.RecentLines;
import org.fibnuma.core.service.metrics.MetricsWriter;
import org.fibnuma.core.service.page.LiveState;
import org.fibnuma.core.service.page.PageFiles;
import org.fibnuma.core.service.jvmpause.JvmPauseWatcher;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.endpoint.Endpoint;
import org.fibnuma.ipnuma.metrics.EndpointMetrics;
import org.fibnuma.ipnuma.metrics.EndpointSample;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The HTTP service of an endpoint: {@code /metrics}, {@code /health} and the live web page with {@code /events}. One
 * sample answers all scrapes of {@link #FRESH_NS}: many clients cost as much as one.
 */
public final class HttpService implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpService.class);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    /** Maximum age of a sample in ns. Counters are published every 20 ms. */
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final HttpServer server;
    private final String name;
    private final RecentLines log = RecentLines.keep();
    private JvmPauseWatcher pauses;
    private Endpoint endpoint;
    /** The last sample. The next field has its time. Server's thread. */
    private EndpointSample sample;
    private long sampledNs;

    private HttpService(final HttpServer server, final String name)
    {
        this.server = server;
        this.name = name;
    }

    /**
     * Reserves the address, so that an endpoint whose address is in use does not start.
     *
     * @param config with a table {@code [http]}.
     * @return the service, which does not yet accept clients.
     * @throws UserException with one line for the user.
     */
    public static HttpService open(final EndpointConfig config)
    {
        try
        {
            return new HttpService(config.http().bind(), config.name());
        }
        catch (final IOException ex)
        {
            throw new UserException(
                config.file() + ":" + config.http().line() + ": http.listen: " + ex.getMessage(), ex);
        }
    }

    /** Accepts clients. The endpoint is started, and closed after this object. */
    public void start(final Endpoint served)
    {
        endpoint = served;
        pauses = JvmPauseWatcher.start(
            failure -> LOGGER.warn("JVM pauses are not measured: {}", failure.toString()));
        final long startNs = System.nanoTime();
        final LongSupplier uptimeMs = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        final String built = HttpService.class.getPackage().getImplementationVersion();
        final String version = built == null ? "unknown" : built;
        final LiveState<EndpointSample> state = new LiveState<>(
            consumer -> consumer.accept(sample()), new StateFormat(name, version, uptimeMs, log)::format,
            server.thread(), LiveState.INTERVAL_MS);
        final Map<String, HttpResource> resources =
            new HashMap<>(PageFiles.resources(HttpService.class, List.of("page.js")));
        resources.put("/metrics", metrics(new EndpointMetrics(version, uptimeMs).writer()));
        resources.put("/health", (query, answer) -> answer.accept(health(sample())));
        server.serve(new HttpPaths(resources, Map.of("/events", state.events())));
        LOGGER.info("http listens on {}", SocketAddressText.format(server.address()));
    }

    /** Returns the address that the server listens on. */
    public InetSocketAddress address()
    {
        return server.address();
    }

    private HttpResource metrics(final MetricsWriter<EndpointSample> metrics)
    {
        return (query, answer) -> answer.accept(new HttpAnswer(
            OK, metrics.contentType(query.accept()), metrics.write(sample(), query.accept())));
    }

    private static HttpAnswer health(final EndpointSample sample)
    {
        return sample.peersDown() == 0 ? HttpAnswer.line(OK, "every peer is up") :
            HttpAnswer.line(UNAVAILABLE, "peers that are down: " + sample.peersDown() + " of " +
                (sample.peersDown() + sample.peersUp()));
    }

    private EndpointSample sample()
    {
        final long nowNs = System.nanoTime();
        if (sample == null || nowNs - sampledNs > FRESH_NS)
        {
            sample = EndpointSample.of(endpoint.counters(), endpoint.announcedRegions(), pauses.safepoints());
            sampledNs = nowNs;
        }
        return sample;
    }

    /** Closes all connections. Called before the endpoint is closed, whose counters the server reads. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(server, pauses, log);
    }
}
