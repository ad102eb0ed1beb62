package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.kernel.KernelRoute;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.config.AddedPort;
import org.fibnuma.fibnic.control.ipc.ControlAnswer;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.control.ipc.ControlRequestHandler;
import org.fibnuma.fibnic.control.record.Captures;
import org.fibnuma.fibnic.control.record.Traces;
import org.fibnuma.fibnic.multipath.Flow;
import org.fibnuma.fibnic.report.FlowsReport;
import org.fibnuma.fibnic.report.PolicyRoutingReport;
import org.fibnuma.fibnic.report.RouterReport;
import org.fibnuma.fibnic.report.StagesReport;
import org.fibnuma.fibnic.report.ThreadsReport;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Passes requests from the socket's thread to the control thread, which owns the tables and answers. */
record RouterRequests(
    RouterReport router,
    FlowsReport flows,
    ControlAgent control,
    Verification verification,
    ThreadsReport threads,
    Reload reload,
    Captures captures,
    Traces traces) implements ControlRequestHandler
{
    @Override
    public void onRequest(final JsonNode request, final ControlAnswer answer)
    {
        final String what = request.path(ControlProtocol.REQUEST).asText();
        switch (what)
        {
            case "ports" -> report(router::portTraffic, answer);
            case "routes" -> routes(request, answer);
            case "rules" -> report(new PolicyRoutingReport(router.tables())::answer, answer);
            case "flows" -> flows(request, answer);
            case "neighbors" -> report(router::neighbors, answer);
            case "drops" -> report(router::drops, answer);
            case "host" -> report(router::hostRestrictions, answer);
            case "acl" -> report(router::acl, answer);
            case "pfc" -> report(router::pfc, answer);
            case "stages" -> report(this::stages, answer);
            case "lookup" -> lookup(request, answer);
            case "capture" -> onControlThread(() -> captures.start(request, answer), answer);
            case "trace" -> onControlThread(() -> traces.start(request, answer), answer);
            case "port-add" -> reload.addPort(addedPort(request), answer);
            case "port-remove" -> reload.removePort(request.path("port").asText(), answer);
            case "reload" -> reload.start(answer);
            case "verify" -> verification.start(answer);
            default -> answer.accept(ControlProtocol.error("unknown request \"" + what + "\""));
        }
    }

    private static AddedPort addedPort(final JsonNode request)
    {
        return new AddedPort(
            request.path("port").asText(), request.path("device").asText(null), request.path("acl-in").asText(null),
            request.path("acl-out").asText(null), request.path("sets-queues").asBoolean(),
            request.path("vlan-pcp").asInt());
    }

    private void routes(final JsonNode request, final Consumer<JsonNode> answer)
    {
        final int limit = Math.max(0, request.path("limit").asInt(RouterReport.MAX_ROUTES));
        report(() -> router.routes(table(request), prefix(request, "under"), prefix(request, "after"), limit), answer);
    }

    private void flows(final JsonNode request, final Consumer<JsonNode> answer)
    {
        final int limit = Math.max(0, request.path("limit").asInt(FlowsReport.MAX_FLOWS));
        report(() -> flows.answer(
            request.has("filter") ? FilterProgram.parse(request.get("filter").asText()) : null,
            request.path("first").asInt(FlowsReport.FIRST), limit), answer);
    }

    private static int table(final JsonNode request)
    {
        return (int)request.path("table").asLong(KernelRoute.TABLE_MAIN);
    }

    private static IpPrefix prefix(final JsonNode request, final String key)
    {
        return request.has(key) ? IpPrefix.parse(request.get(key).asText()) : null;
    }

    private void lookup(final JsonNode request, final Consumer<JsonNode> answer)
    {
        final String flow = request.path("flow").asText(null);
        final int table = table(request);
        report(() -> request.has("prefix") ? router.lookup(table, prefix(request, "prefix")) : router.lookup(
            table, IpAddress.parse(request.path("address").asText()), flow == null ? null : Flow.parse(flow)), answer);
    }

    private JsonNode stages()
    {
        return threads.addTo(
            StagesReport.of(router.counters()), router.tables().work(), control.longestCycleNs());
    }

    private void report(final Supplier<JsonNode> report, final Consumer<JsonNode> answer)
    {
        onControlThread(() -> answer.accept(answerOf(report)), answer);
    }

    private void onControlThread(final Runnable task, final Consumer<JsonNode> answer)
    {
        if (!control.offer(task))
        {
            answer.accept(ControlProtocol.error("the router has too many requests waiting; ask again"));
        }
    }

    private static JsonNode answerOf(final Supplier<JsonNode> report)
    {
        try
        {
            return report.get();
        }
        catch (final IllegalArgumentException ex)
        {
            return ControlProtocol.error(ex.getMessage());
        }
    }
}
