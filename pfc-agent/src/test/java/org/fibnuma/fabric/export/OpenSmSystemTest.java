package org.fibnuma.fabric.export;

import org.fibnuma.core.Require;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.tables.JointRoutes;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TopologyReader;
import org.fibnuma.fabric.turns.TurnAddition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** ibdmchk checks our plans loaded by OpenSM, and we check the tables of OpenSM. */
class OpenSmSystemTest
{
    private static final String REFERENCE = "opensm-3.3.23-reference.csv";

    @TempDir
    private Path folder;

    @BeforeEach
    void requirePrograms()
    {
        OpenSm.require();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fattree_k4", "leafspine4x8", "mesh4x4", "petersen", "rand32_deg4_seed1", "ring8",
        "torus4x4", "zoo_Abilene", "zoo_Geant2012"})
    void shouldHaveNoCreditLoopInWhatOpenSmLoads(final String topology) throws IOException, InterruptedException
    {
        final Path net = Require.sharedData("topologies/" + topology + ".net");
        final Fabric fabric = TopologyReader.read(net.toString());
        final Demand demand = Demand.uniform(fabric);
        final ForwardingTables start = DestinationRoutes.of(TurnAddition.sound(1), fabric, demand);
        final Path planned = Files.createDirectory(folder.resolve("plan"));
        final ForwardingTables tables = JointRoutes.of(List.of(start), Lanes.one(fabric), demand, 1);
        new OpenSmTables(tables).write(planned);

        final OpenSm openSm = new OpenSm(folder);
        openSm.sweep(net, "-R", "file", "-U", planned.resolve(OpenSmTables.FILE).toString());

        assertFalse(openSm.hasCreditLoop());
        final TableWalk own = TableWalk.of(tables, demand);
        for (final Path loaded : List.of(openSm.fdbs(), openSm.lfts()))
        {
            final TableWalk walk = TableWalk.of(RoutesReader.read(fabric, loaded), demand);
            assertTrue(RoutingProof.of(walk).holds());
            assertEquals(own.loads().max(), walk.loads().max());
            assertEquals(own.loads().averageHops(), walk.loads().averageHops());
        }
    }

    /** OpenSM's own Up*&#47;Down* has a cycle on rand32_deg4_seed1. */
    @ParameterizedTest
    @ValueSource(strings = {"fattree_k4", "leafspine4x8", "mesh4x4", "petersen", "rand32_deg4_seed1", "ring8",
        "torus4x4", "zoo_Abilene", "zoo_Geant2012"})
    void shouldJudgeOpenSmsOwnUpDownAsTheReferenceDoes(final String topology) throws IOException, InterruptedException
    {
        final Path net = Require.sharedData("topologies/" + topology + ".net");
        final Fabric fabric = TopologyReader.read(net.toString());
        final OpenSm openSm = new OpenSm(folder);
        openSm.sweep(net, "-R", "updn", "-a", Require.sharedData("topologies/" + topology + ".roots").toString());

        final TableWalk walk = TableWalk.of(RoutesReader.read(fabric, openSm.fdbs()), Demand.uniform(fabric));
        final RoutingProof proof = RoutingProof.of(walk);
        final String[] expected = reference(topology);
        assertEquals(expected[14].equals("yes"), !proof.isAcyclic());
        assertEquals(openSm.hasCreditLoop(), !proof.isAcyclic());
        assertEquals(topology.equals("rand32_deg4_seed1"), !proof.isAcyclic());
        assertEquals(Long.parseLong(expected[7]), proof.pairs());
        assertEquals(0, walk.unreachablePairs());
        assertEquals(Double.parseDouble(expected[9]), walk.loads().averageHops(), 1e-4);
        assertEquals(Long.parseLong(expected[15]), walk.loads().max());
        for (int i = 0; i < proof.cycle().length; i++)
        {
            assertTrue(walk.used(0).allows(proof.cycle()[i], proof.cycle()[(i + 1) % proof.cycle().length]));
        }
    }

    private static String[] reference(final String topology) throws IOException
    {
        return Files.readAllLines(Require.sharedData("topologies/" + REFERENCE)).stream()
            .filter(line -> line.startsWith(topology + ",") && line.contains(",updn,updn,"))
            .findFirst().orElseThrow().split(",", -1);
    }
}
