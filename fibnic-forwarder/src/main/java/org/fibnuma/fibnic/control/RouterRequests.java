package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.control.ipc.ControlRequestHandler;
import org.fibnuma.fibnic.report.DropsReport;
import org.fibnuma.fibnic.report.HostReport;
import org.fibnuma.fibnic.report.LookupReport;
import org.fibnuma.fibnic.report.NeighborsReport;
import org.fibnuma.fibnic.report.PfcReport;
import org.fibnuma.fibnic.report.PortsReport;
import org.fibnuma.fibnic.report.RouterState;
import org.fibnuma.fibnic.report.RoutesReport;
import org.fibnuma.fibnic.report.StagesReport;
import org.fibnuma.fibnic.report.ThreadsReport;
import org.fibnuma.fibnic.rib.RouteKey;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Takes requests on the socket's thread and has them answered on the control thread, where the tables are. */
final class RouterRequests implements ControlRequestHandler
{
    private final RouterState state;
    private final ControlAgent control;
    private final Verification verification;
    private final ThreadsReport threads;

    RouterRequests(
        final RouterState state,
        final ControlAgent control,
        final Verification verification,
        final ThreadsReport threads)
    {
        this.state = state;
        this.control = control;
        this.verification = verification;
        this.threads = threads;
    }

    @Override
    public void onRequest(final JsonNode request, final Consumer<JsonNode> answer)
    {
        final String what = request.path(ControlProtocol.REQUEST).asText();
        switch (what)
        {
            case "ports":
                report(() -> PortsReport.of(state), answer);
                break;
            case "routes":
                final long after = request.path("after").asLong(RouteKey.BEFORE_FIRST);
                final int limit = Math.max(0, request.path("limit").asInt(RoutesReport.MAX_PAGE));
                report(() -> RoutesReport.of(state, after, limit), answer);
                break;
            case "neighbors":
                report(() -> NeighborsReport.of(state), answer);
                break;
            case "drops":
                report(() -> DropsReport.of(state), answer);
                break;
            case "host":
                report(() -> HostReport.of(state), answer);
                break;
            case "pfc":
                report(() -> PfcReport.of(state), answer);
                break;
            case "stages":
                report(() -> threads.addTo(StagesReport.of(state), state, control.longestCycleNs()), answer);
                break;
            case "lookup":
                report(() -> LookupReport.of(state, Ipv4Address.parse(request.path("address").asText())), answer);
                break;
            case "verify":
                verification.start(answer);
                break;
            default:
                answer.accept(ControlProtocol.error("unknown request \"" + what + "\""));
        }
    }

    private void report(final Supplier<JsonNode> report, final Consumer<JsonNode> answer)
    {
        final boolean taken = control.offer(() -> answer.accept(answerOf(report)));
        if (!taken)
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
