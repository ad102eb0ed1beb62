package org.fibnuma.fibnic.control;

import org.agrona.CloseHelper;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.service.config.SocketAddressText;
import org.fibnuma.core.service.http.HttpAnswer;
import org.fibnuma.core.service.http.HttpPaths;
import org.fibnuma.core.service.http.HttpResource;
import org.fibnuma.core.service.http.HttpServer;
import org.fibnuma.core.service.log.RecentLines;
import org.fibnuma.core.service.metrics.MetricsWriter;
import org.fibnuma.core.service.page.LiveState;
import org.fibnuma.core.service.page.PageFiles;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.metrics.RouterMetrics;
import org.fibnuma.fibnic.metrics.RouterSample;
import org.fibnuma.fibnic.metrics.RouterSampler;
import org.fibnuma.fibnic.page.RouteSearch;
import org.fibnuma.fibnic.page.StateFormat;
import org.fibnuma.fibnic.page.TrafficHistory;
import org.fibnuma.fibnic.report.SampleCost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics}, {@code /health} and the live web page with {@code /events}, {@code /history} and
 * {@code /lookup}. The control thread takes the samples: one for all requests that wait, and one for the history at its
 * interval. The server's thread makes the answers.
 */
final class HttpService implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpService.class);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /** Waiting requests beyond those of all connections exist only if the control thread does not run. */
    private static final int MAX_WAITING = 1000;

    private final HttpServer server;
    /** Wait for the sample that is being taken; server's thread. */
    private List<Consumer<RouterSample>> waiting = new ArrayList<>();
    private final String router;
    private final RecentLines log = RecentLines.keep();
    /** Server's thread. */
    private final TrafficHistory history = new TrafficHistory();
    private ControlAgent control;
    private RouterSampler sampler;
    private SampleCost cost;

    private HttpService(final HttpServer server, final String router)
    {
        this.server = server;
        this.router = router;
    }

    /**
     * Reserves the address.
     *
     * @throws UserException with one line for the user if another process has it.
     */
    static HttpService open(final RouterConfig config)
    {
        try
        {
            return new HttpService(config.http().bind(), config.name());
        }
        catch (final IOException ex)
        {
            throw new UserException(config.at(config.http().line(), "http.listen") + ex.getMessage(), ex);
        }
    }

    /** Accepts clients, and adds the cost of each sample to the cost of all. */
    void start(final ControlAgent agent, final RouterSampler of, final SampleCost costOfAll)
    {
        control = agent;
        sampler = of;
        cost = costOfAll;
        final long startNs = System.nanoTime();
        final LongSupplier uptimeMs = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        final String built = HttpService.class.getPackage().getImplementationVersion();
        final String version = built == null ? "unknown" : built;
        final LiveState<RouterSample> state = new LiveState<>(
            this::request, new StateFormat(router, version, uptimeMs, log)::format, server.thread(),
            LiveState.INTERVAL_MS);
        final Map<String, HttpResource> resources =
            new HashMap<>(PageFiles.resources(StateFormat.class, List.of("page.js", "search.js")));
        resources.put("/metrics", metrics(new RouterMetrics(version, uptimeMs).writer()));
        resources.put("/health", health());
        resources.put("/lookup", new RouteSearch(
            address -> of.router().lookup(KernelRoute.TABLE_MAIN, address, null), agent::offer, server.thread()));
        resources.put("/history", (query, answer) -> answer.accept(
            new HttpAnswer(OK, HttpAnswer.JSON, history.format().getBytes(StandardCharsets.UTF_8))));
        server.thread().scheduleAtFixedRate(
            () -> remember(uptimeMs), 0, TrafficHistory.INTERVAL_MS, TimeUnit.MILLISECONDS);
        server.serve(new HttpPaths(resources, Map.of("/events", state.events())));
        LOGGER.info("http listens on {}", SocketAddressText.format(server.address()));
    }

    InetSocketAddress address()
    {
        return server.address();
    }

    private HttpResource metrics(final MetricsWriter<RouterSample> metrics)
    {
        return (query, answer) -> request(sample -> answer.accept(sample == null ? busy() :
            new HttpAnswer(OK, metrics.contentType(query.accept()), metrics.write(sample, query.accept()))));
    }

    private HttpResource health()
    {
        return (query, answer) -> request(sample -> answer.accept(
            sample == null ? busy() : sample.problem().isEmpty() ?
            HttpAnswer.line(OK, "every port forwards") : HttpAnswer.line(UNAVAILABLE, sample.problem())));
    }

    private static HttpAnswer busy()
    {
        return HttpAnswer.line(UNAVAILABLE, "the router has too many requests waiting; ask again");
    }

    /** Server's thread. The consumer gets null if no sample can be taken now. */
    private void request(final Consumer<RouterSample> consumer)
    {
        if (waiting.size() == MAX_WAITING)
        {
            consumer.accept(null);
            return;
        }
        waiting.add(consumer);
        if (waiting.size() == 1 && !control.offer(() -> take(() -> cost.measure(sampler::take), this::deliver)))
        {
            deliver(null);
        }
    }

    /** Server's thread. The history has no sample for a moment at which the control thread cannot take one. */
    private void remember(final LongSupplier uptimeMs)
    {
        control.offer(() -> take(sampler::takeTraffic, sample ->
        {
            if (sample != null)
            {
                history.add(uptimeMs.getAsLong(), sample);
            }
        }));
    }

    /** Takes a sample on the control thread and delivers it on the server's, null if it cannot be taken. */
    private <S> void take(final Supplier<S> taker, final Consumer<S> consumer)
    {
        S sample = null;
        try
        {
            sample = taker.get();
        }
        finally
        {
            final S taken = sample;
            try
            {
                server.thread().execute(() -> consumer.accept(taken));
            }
            catch (final RejectedExecutionException ignore)
            {
                // The server is closed.
            }
        }
    }

    private void deliver(final RouterSample sample)
    {
        final List<Consumer<RouterSample>> consumers = waiting;
        waiting = new ArrayList<>();
        consumers.forEach(consumer -> consumer.accept(sample));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(server, log);
    }
}
