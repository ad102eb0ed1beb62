package org.fibnuma.fibnic.metrics;

import org.fibnuma.core.kernel.KernelNeighbor;
import org.fibnuma.core.service.jvmpause.Safepoints;
import org.fibnuma.core.service.jvmpause.JvmPauses;
import org.fibnuma.fibnic.fate.FateReport;
import org.fibnuma.fibnic.flows.FlowStatus;
import org.fibnuma.fibnic.lossless.LosslessReport;
import org.fibnuma.fibnic.rib.RoutingTables;
import org.fibnuma.fibnic.stage.StageTimesReport;

import java.util.List;
import java.util.Map;

/**
 * The state of a router at one moment, taken by {@link RouterSampler}. Any thread may read it.
 *
 * @param fates                  sums over the workers.
 * @param stages                 frames and drops of each stage.
 * @param times                  of the stages for sampled batches, sums over the workers.
 * @param ports                  by index.
 * @param vlans                  VLAN interfaces.
 * @param rules                  of all access lists, at most {@link RouterSampler#MAX_RULES} and one for each list.
 * @param neighbors              number on the ports by "ipv4" or "ipv6" and state.
 * @param tables                 by "ipv4" and, if the router forwards it, "ipv6".
 * @param adjacencies            in use.
 * @param work                   of the control thread.
 * @param longestControlCycleNs  of the control thread.
 * @param safepoints             of the JVM.
 * @param pauses                 of the workers, by number.
 * @param lossless               counters of PFC.
 * @param restrictionsBypassed   number of the host's restrictions that forwarded frames bypass.
 * @param restrictionsLeft       number of the host's restrictions whose frames are left to the kernel.
 * @param flows                  connections that packet filters have accepted.
 * @param control                failures of the control thread.
 */
public record RouterSample(
    FateReport fates,
    List<Stage> stages,
    StageTimesReport times,
    List<PortSample> ports,
    List<VlanSample> vlans,
    List<RuleSample> rules,
    Map<String, Map<KernelNeighbor.State, Integer>> neighbors,
    Map<String, TableSample> tables,
    int adjacencies,
    RoutingTables.Work work,
    long longestControlCycleNs,
    Safepoints safepoints,
    List<JvmPauses> pauses,
    LosslessReport lossless,
    int restrictionsBypassed,
    int restrictionsLeft,
    FlowStatus flows,
    ControlSample control)
{
    /**
     * A stage of the data path.
     *
     * @param name    in {@code show stages}.
     * @param which   kind of the counted frames, such as "received".
     * @param frames  number of these frames.
     * @param dropped number of frames that the stage has dropped.
     */
    public record Stage(String name, String which, long frames, long dropped)
    {
    }

    /** Returns the first reason why not every port forwards, in one line; empty if every port forwards. */
    public String problem()
    {
        for (final PortSample port : ports)
        {
            if (!port.link().equals("up"))
            {
                return "port " + port.name() + " does not forward: its link is " + port.link();
            }
            if (!port.forwardsIpv4() && !port.forwardsIpv6())
            {
                return "port " + port.name() + " does not forward: the host leaves forwarding on it to the kernel";
            }
        }
        return "";
    }
}
