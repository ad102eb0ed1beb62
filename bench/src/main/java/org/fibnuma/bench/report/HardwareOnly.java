package org.fibnuma.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure that only hardware has.
 *
 * @param id     of the figure.
 * @param title  number and subject.
 * @param reason why software cannot reproduce it.
 */
record HardwareOnly(String id, String title, String reason)
{
    private static final String PCI_EXPRESS = "needs a counter in an FPGA on the PCI Express bus";

    /** All of them. */
    static final List<HardwareOnly> ALL = List.of(
        new HardwareOnly("thesis-figure-1.1", "Figure 1.1 and tables 1.1 to 1.5: speeds of buses, memory and Ethernet",
            "collects speeds of standards; nothing is measured"),
        new HardwareOnly("thesis-3.2", "Table 3.2: DMA reads", PCI_EXPRESS),
        new HardwareOnly("thesis-3.3", "Table 3.3: DMA writes", PCI_EXPRESS),
        new HardwareOnly("thesis-3.4", "Table 3.4: memory copies from and to a PCI Express device",
            "needs a device whose memory is mapped (BAR)"),
        new HardwareOnly("thesis-figure-3.8", "Figure 3.8: delays of sending and receiving",
            "adds the delays of tables 3.2 to 3.4 and of the Ethernet circuits"),
        new HardwareOnly("thesis-figure-5.3", "Figure 5.3: delay between two Ethernet circuits (PHY)",
            "needs an oscilloscope at the circuits"),
        new HardwareOnly("thesis-figure-5.5", "Figures 5.4 and 5.5: cycles of the pipeline",
            "counts clock cycles of the circuit"));

    Map<String, Object> toMap()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", id);
        map.put("title", title);
        map.put("reason", reason);
        return map;
    }
}
