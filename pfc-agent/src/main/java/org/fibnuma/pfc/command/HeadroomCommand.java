package org.fibnuma.pfc.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.pfc.headroom.DcqcnThresholds;
import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.headroom.HeadroomModel;
import org.fibnuma.pfc.headroom.HeadroomRequest;
import org.fibnuma.pfc.headroom.SharedHeadroomPool;
import org.fibnuma.pfc.quanta.LinkSpeed;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** Computes the headroom of a lossless priority and the thresholds that a shared memory allows. */
@Command(
    name = "headroom",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Computes the bytes to keep free for what arrives after a pause is sent.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma pfc headroom --speed 100G --cable 100",
        "  fibnuma pfc headroom --speed 400G --model sonic --cell 144 --json"
    })
final class HeadroomCommand implements Callable<Integer>
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--speed", required = true, paramLabel = "SPEED", description = "Speed of the link, such as 100G.")
    private String speed;

    @Option(names = "--cable", defaultValue = "" + HeadroomRequest.DEFAULT_CABLE_METERS, paramLabel = "METERS",
        description = "Length of the cable (default: ${DEFAULT-VALUE}).")
    private double cable;

    @Option(names = "--mtu", defaultValue = "1500", paramLabel = "BYTES",
        description = "Longest packet of both ends (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(names = "--model", defaultValue = "own", paramLabel = "NAME",
        description = "own, sonic, mlx5 or annex-o (default: ${DEFAULT-VALUE}).")
    private String model;

    @Option(names = "--poll-us", defaultValue = "20", paramLabel = "MICROSECONDS",
        description = "own: longest time until a received frame is counted (default: ${DEFAULT-VALUE}).")
    private double pollMicros;

    @Option(names = "--ring", defaultValue = "" + HeadroomRequest.DEFAULT_RING_FRAMES, paramLabel = "FRAMES",
        description = "own: frames received in one batch before thresholds are checked (default: ${DEFAULT-VALUE}).")
    private int ring;

    @Option(names = "--interface-ns", paramLabel = "NANOSECONDS",
        description = "own: delay of our MAC and PHY, both directions (default: the 18,944 bit times of Annex O).")
    private Double interfaceNanos;

    @Option(names = "--cell", defaultValue = "0", paramLabel = "BYTES",
        description = "sonic, mlx5: size of a memory cell of the switch or card (default: 96 for sonic, 128 for mlx5).")
    private int cell;

    @Option(names = "--lanes", defaultValue = "0", paramLabel = "N",
        description = "sonic: lanes of the port; 8 need more (default: 8 at 400G and above).")
    private int lanes;

    @Option(names = "--over-subscribe", paramLabel = "RATIO",
        description = "sonic: over-subscription ratio of a shared headroom pool; also prints the pool for --ports.")
    private Double overSubscribe;

    @Option(names = "--priorities", defaultValue = "2", paramLabel = "N",
        description = "sonic: lossless priorities of a port in the shared headroom pool (default: ${DEFAULT-VALUE}).")
    private int priorities;

    @Option(names = "--small-packets", defaultValue = "" + HeadroomRequest.DEFAULT_SMALL_PACKET_PERCENT,
        paramLabel = "PERCENT", description = "sonic: share of small frames (default: ${DEFAULT-VALUE}).")
    private int smallPackets;

    @Option(names = "--gearbox", defaultValue = "0", paramLabel = "BYTES",
        description = "sonic: bytes in flight in a gearbox (default: ${DEFAULT-VALUE}).")
    private long gearbox;

    @Option(names = "--buffer", paramLabel = "BYTES",
        description = "Memory shared by all ports; prints the PFC and ECN thresholds that it allows (DCQCN paper).")
    private Long buffer;

    @Option(names = "--ports", defaultValue = "32", paramLabel = "N",
        description = "Ports that share the memory or pool (default: ${DEFAULT-VALUE}).")
    private int ports;

    @Option(names = "--flight", paramLabel = "BYTES",
        description = "Headroom for these thresholds (default: the computed one).")
    private Double flight;

    @Option(names = "--beta", defaultValue = "" + DcqcnThresholds.DEFAULT_BETA, paramLabel = "FACTOR",
        description = "Share of the free memory that a priority may take (default: ${DEFAULT-VALUE}).")
    private double beta;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call()
    {
        final Headroom headroom;
        DcqcnThresholds thresholds = null;
        SharedHeadroomPool pool = null;
        try
        {
            headroom = HeadroomModel.of(model).compute(request());
            if (overSubscribe != null)
            {
                requireSonic();
                pool = new SharedHeadroomPool(headroom.xoff(), ports, priorities, overSubscribe);
            }
            if (buffer != null)
            {
                thresholds = new DcqcnThresholds(buffer, ports, flight == null ? headroom.xoff() : flight);
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), ex.getMessage());
        }
        final ObjectNode answer = answer(headroom, thresholds);
        if (pool != null)
        {
            answer.put("sharedHeadroomPool", pool.bytes());
        }
        final PrintWriter out = spec.commandLine().getOut();
        if (json)
        {
            out.println(answer.toPrettyString());
        }
        else
        {
            print(answer, "", out);
        }
        out.flush();
        return PfcCommand.OK;
    }

    private HeadroomRequest request()
    {
        final HeadroomRequest request = new HeadroomRequest(LinkSpeed.parse(speed))
            .cableMeters(cable).mtu(mtu).pollNanos(Math.round(pollMicros * 1000)).ringFrames(ring)
            .cellBytes(cell).lanes(lanes).sharesHeadroom(overSubscribe != null)
            .smallPacketPercent(smallPackets).gearboxBytes(gearbox);
        return interfaceNanos == null ? request : request.interfaceNanos(interfaceNanos);
    }

    private void requireSonic()
    {
        if (HeadroomModel.of(model) != HeadroomModel.SONIC)
        {
            throw new IllegalArgumentException("only SONiC's model has a shared headroom pool; use --model sonic");
        }
    }

    private ObjectNode answer(final Headroom headroom, final DcqcnThresholds thresholds)
    {
        final ObjectNode answer = new ObjectMapper().createObjectNode();
        answer.put("model", model);
        answer.setAll(new ObjectMapper().<ObjectNode>valueToTree(headroom));
        if (thresholds != null)
        {
            answer.putObject("dcqcn")
                .put("pfcThreshold", Math.floor(thresholds.pfc()))
                .put("ecnThreshold", Math.floor(thresholds.ecn(beta)));
        }
        return answer;
    }

    private static void print(final ObjectNode node, final String indent, final PrintWriter out)
    {
        node.properties().forEach(field ->
        {
            if (field.getValue() instanceof ObjectNode)
            {
                out.println(indent + field.getKey());
                print((ObjectNode)field.getValue(), indent + "  ", out);
            }
            else
            {
                out.printf("%s%-20s %s%n", indent, field.getKey(), field.getValue().asText());
            }
        });
    }
}
