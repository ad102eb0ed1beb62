package org.fibnuma.fabric.export;

import org.fibnuma.core.Require;
import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.proof.RoutingProof;
import org.fibnuma.fabric.tables.TableWalk;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TopologyReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tables that OpenSM made are judged as ibdmchk judged them, and have the hops that OpenSM counted. */
class OpenSmRoutesTest
{
    private static final Path FOLDER = Require.projectDirectory()
        .resolve("pfc-agent/src/test/resources/org/fibnuma/fabric/export/opensm-3.3.23");

    @ParameterizedTest
    @CsvFileSource(resources = "opensm-3.3.23/reference.csv", useHeadersInDisplayName = true)
    void shouldJudgeTablesAsIbdmchkDoes(
        final String topology, final String engine, final String creditLoop, final double averageHops)
    {
        final Fabric fabric = TopologyReader.read(FOLDER.resolve(topology + ".net").toString());
        final Path tables = FOLDER.resolve(topology + "-" + engine + ".fdbs");

        final TableWalk walk = TableWalk.of(RoutesReader.read(fabric, tables), Demand.uniform(fabric));
        final RoutingProof proof = RoutingProof.of(walk);

        assertEquals(0, walk.unreachablePairs());
        assertEquals(creditLoop.equals("no"), proof.isAcyclic());
        assertEquals(averageHops, walk.loads().averageHops(), 1e-4);
        for (int i = 0; i < proof.cycle().length; i++)
        {
            assertTrue(walk.used(0).allows(proof.cycle()[i], proof.cycle()[(i + 1) % proof.cycle().length]));
        }
    }
}
