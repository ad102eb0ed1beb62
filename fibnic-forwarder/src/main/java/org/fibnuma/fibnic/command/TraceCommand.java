package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.trace.HeaderFields;
import org.fibnuma.fibnic.trace.TraceReceiver;
import org.fibnuma.fibnic.trace.TraceSettings;
import org.fibnuma.fibnic.trace.TracedFrame;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Prints the path of frames through the stages of a running router. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    description = {
        "Prints the path of received frames through the stages of a running router, and what each stage did to them.",
        "It ends after --count frames, or with Ctrl-C. The filter is applied to frames as they are received.",
        "A batch with a traced frame takes longer than others. Without a trace there is no cost.",
        "If this command is too slow, traced frames are lost and counted. Forwarding is not affected.",
        "Frames that the kernel receives without the router, such as ARP on an xdp: port, are not traced.",
        "Exit status: 0 ended as asked, 1 the router ended it, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma trace --port left --match 'dst net 192.0.2.0/24 and udp' --count 10",
        "  fibnuma trace --match 'icmp or icmp6' --json"
    })
final class TraceCommand extends RecordQuery
{
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

    @Option(
        names = "--match", paramLabel = "EXPRESSION",
        description = "Only frames that match an expression of pcap-filter(7); needs libpcap (apt-get install " +
            "libpcap0.8).")
    private String match;

    @Option(
        names = "--count", defaultValue = "10", paramLabel = "N",
        description = "End after N frames, 1 to " + TraceSettings.MAX_COUNT + " (default: ${DEFAULT-VALUE}).")
    private int count;

    private long traced;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        refuse(count < 1 || count > TraceSettings.MAX_COUNT,
            "--count: give 1 to " + TraceSettings.MAX_COUNT + " frames");
        final ObjectNode request = ControlProtocol.request("trace").put("count", count);
        addPortsAndFilter(request, match);
        final JsonNode answer = client.ask(request);
        try (Termination termination = new Termination(); HeaderFields headers = new HeaderFields())
        {
            final TraceText text = new TraceText(headers);
            final TraceJson json = new TraceJson(text);
            final TraceReceiver receiver = new TraceReceiver(
                portNames(answer), texts(answer.path("allPorts")), texts(answer.path("reasons")),
                frame -> onFrame(frame, text, json));
            say("tracing at " + String.join(", ", portNames(answer).values()) + "; Ctrl-C ends it");
            endAsAsked(client, termination, null);
            final boolean isComplete = receive(client, receiver, () -> traced + receiver.lostOfAll() >= count);
            if (isJson())
            {
                print(json.document(receiver.lostOfAll()));
                out().flush();
            }
            say((isComplete ? "" : "the router has ended; ") +
                "frames traced: " + traced + ", lost: " + receiver.lostOfAll());
            return isComplete ? FibnumaCommand.OK : FibnumaCommand.FAILED;
        }
    }

    private void onFrame(final TracedFrame frame, final TraceText text, final TraceJson json)
    {
        traced++;
        if (isJson())
        {
            json.add(frame);
            return;
        }
        final Instant time = TraceJson.timeOf(frame);
        out().println(TIME.format(time.atZone(ZoneId.systemDefault())) + " worker " + frame.worker() + " port " +
            frame.port() + ", " + frame.length() + " bytes: " + text.packet(frame));
        for (final TraceText.Line line : text.lines(frame))
        {
            out().println(String.format("  %-18s  %s", line.step().stage().label(), line.text()));
        }
        if (frame.isTruncated())
        {
            out().println("  further stages are missing");
        }
        out().flush();
    }
}
