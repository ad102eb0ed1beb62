package org.fibnuma.bench.differential;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a scenario as a shell script that needs iproute2, util-linux and Python, but no class of the bench module. */
final class ReproductionScript
{
    private static final String LISTENER = """
        import select, socket, sys
        socks = {}
        for link, device in enumerate("LINKS".split()):
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            s.bind((device, 0))
            socks[s] = link
        for line in sys.stdin:
            link, frame = line.split()
            try:
                [s for s in socks if socks[s] == int(link)][0].send(bytes.fromhex(frame))
            except OSError as error:
                print("r%s: not sent: %s" % (link, error))
        while True:
            ready = select.select(list(socks), [], [], 2)[0]
            if not ready:
                break
            for s in ready:
                frame, address = s.recvfrom(65536)
                if address[2] != socket.PACKET_OUTGOING:
                    print("r%d %s" % (socks[s], frame.hex()))
        """;

    private ReproductionScript()
    {
    }

    /**
     * Returns the script.
     *
     * @param scenario   what it does.
     * @param difference what differed, as comments at its beginning.
     */
    static String of(final Scenario scenario, final String difference)
    {
        final StringBuilder script = new StringBuilder("#!/bin/sh\n");
        difference.lines().forEach(line -> script.append("# ").append(line).append('\n'));
        script.append("""
            # As root in a clone, first without and then with the router:
            #     unshare --net --mount sh FILE kernel; unshare --net --mount sh FILE router
            mount -t sysfs none /sys
            ip link set lo up
            unshare --net sleep 600 &
            wire=$!
            while [ "$(readlink /proc/$wire/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.1; done
            WIRE=/proc/$wire/ns/net
            for link in %s
            do
                ip link add r$link numrxqueues 1 numtxqueues 1 type veth peer name w$link numrxqueues 1 numtxqueues 1 \\
                    netns $wire
                ip link set r$link up
                nsenter --target $wire --net sh -c "echo 1 >/proc/sys/net/ipv6/conf/w$link/disable_ipv6"
                nsenter --target $wire --net ip link set w$link up
            done
            """.formatted(links(Integer::toString)));
        append(Lab.SETUP, script);
        append(scenario.before(), script);
        script.append("if [ \"$1\" = router ]\nthen\n    cat >/tmp/differential.toml <<'TOML'\n")
            .append(Lab.configuration("differential")).append("TOML\n")
            .append("    ./fibnuma router -c /tmp/differential.toml >/tmp/differential.log 2>&1 &\n    router=$!\n")
            .append("    until grep -q '^ready$' /tmp/differential.log || ! kill -0 $router; do sleep 0.2; done\nfi\n");
        append(scenario.during(), script);
        script.append("sleep 3\nnsenter --target $wire --net python3 -c '\n")
            .append(LISTENER.replace("LINKS", links(Lab::farEnd))).append("' <<'FRAMES'\n");
        scenario.packets().forEach(packet ->
            script.append(packet.link()).append(' ').append(packet.hex()).append('\n'));
        script.append("FRAMES\n[ -z \"$router\" ] || kill $router\nkill $wire\nwait\n");
        return script.toString();
    }

    private static String links(final IntFunction<String> name)
    {
        return IntStream.range(0, Lab.LINKS).mapToObj(name).collect(Collectors.joining(" "));
    }

    private static void append(final List<String> commands, final StringBuilder script)
    {
        commands.forEach(command -> script.append("( ").append(command).append(" )\n"));
    }
}
