package org.fibnuma.fabric.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of ibnetdiscover and the input of ibsim. A GUID that the file omits is that of ibsim 0.10. Switches
 * have GUIDs from 0x200000 in their order. Channel adapters have them from 0x100000, one for the node and one for each
 * port. The name of a node is its description. If several nodes have the same, as unmanaged switches do, {@code @} and
 * the GUID follow.
 */
final class IbNetReader
{
    private static final Pattern NODE =
        Pattern.compile("^(Switch|Hca|Ca)\\s+(\\d+)\\s+\"([^\"]+)\"(?:[^#]*#\\s*\"([^\"]*)\")?.*");
    private static final Pattern PORT = Pattern.compile(
        "^\\[(\\d+)](?:\\[[^]]*])*(?:\\(([0-9a-fA-F]+)\\))?\\s+\"([^\"]+)\"\\[(\\d+)].*");
    private static final Pattern GUID = Pattern.compile("^(?:switchguid|caguid)=0x([0-9a-fA-F]+).*");
    private static final long FIRST_SWITCH_GUID = 0x200000;
    private static final long FIRST_ADAPTER_GUID = 0x100000;

    private final FabricBuilder builder;
    private final String file;
    private final Map<String, Node> nodes = new HashMap<>();
    private final List<End> ends = new ArrayList<>();
    private final Map<String, Integer> mentions = new HashMap<>();
    private final Map<String, Integer> descriptions = new HashMap<>();
    private long nextSwitchGuid = FIRST_SWITCH_GUID;
    private long nextAdapterGuid = FIRST_ADAPTER_GUID;
    private long guid;
    private Node node;

    private record Node(String id, String name, boolean isSwitch, int number, long guid, Map<Integer, Long> portGuids)
    {
    }

    private record End(String place, Node node, int port, String farId, int farPort)
    {
    }

    private IbNetReader(final String file)
    {
        this.file = file;
        this.builder = new FabricBuilder(file);
    }

    static Fabric read(final String file, final String text)
    {
        final IbNetReader reader = new IbNetReader(file);
        final String[] lines = text.split("\n", -1);
        for (final String line : lines)
        {
            final Matcher nodeLine = NODE.matcher(line.strip());
            if (nodeLine.matches())
            {
                reader.descriptions.merge(description(nodeLine), 1, Integer::sum);
            }
        }
        int number = 0;
        for (final String line : lines)
        {
            number++;
            reader.readLine(file + ":" + number, line.strip());
        }
        return reader.build();
    }

    private void readLine(final String place, final String line)
    {
        builder.at(place);
        final Matcher guidLine = GUID.matcher(line);
        final Matcher nodeLine = NODE.matcher(line);
        final Matcher portLine = PORT.matcher(line);
        if (guidLine.matches())
        {
            guid = Long.parseUnsignedLong(guidLine.group(1), 16);
        }
        else if (nodeLine.matches())
        {
            readNode(nodeLine);
        }
        else if (portLine.matches() && node != null)
        {
            if (portLine.group(2) != null)
            {
                node.portGuids().put(Integer.parseInt(portLine.group(1)),
                    Long.parseUnsignedLong(portLine.group(2), 16));
            }
            mentions.put(node.id() + '\n' + portLine.group(1), ends.size());
            ends.add(new End(place, node, Integer.parseInt(portLine.group(1)), portLine.group(3),
                Integer.parseInt(portLine.group(4))));
        }
        else if (line.startsWith("["))
        {
            throw builder.fault("\"" + line + "\" is not a port; the form is [number] \"node\"[number]");
        }
    }

    private void readNode(final Matcher line)
    {
        final boolean isSwitch = line.group(1).equals("Switch");
        final int ports = Integer.parseInt(line.group(2));
        final String id = line.group(3);
        final long given = guid;
        final long own = given != 0 ? given : isSwitch ? nextSwitchGuid : nextAdapterGuid;
        final String name = descriptions.get(description(line)) == 1 ? description(line) :
            String.format("%s@0x%016x", description(line), own);
        guid = 0;
        nextSwitchGuid += isSwitch ? 1 : 0;
        nextAdapterGuid += isSwitch ? 0 : ports + 1;
        final Map<Integer, Long> portGuids = new HashMap<>();
        for (int port = 1; !isSwitch && port <= ports; port++)
        {
            portGuids.put(port, own + port);
        }
        node = new Node(id, name, isSwitch, isSwitch ? builder.addSwitch(name, own, -1) : -1, own, portGuids);
        if (nodes.put(id, node) != null)
        {
            throw builder.fault("node \"" + id + "\" is defined twice; remove one");
        }
    }

    /** Returns the description of a node, or its id if there is none. */
    private static String description(final Matcher nodeLine)
    {
        return nodeLine.group(4) == null || nodeLine.group(4).isEmpty() ? nodeLine.group(3) : nodeLine.group(4);
    }

    private Fabric build()
    {
        for (final End end : ends)
        {
            final Node far = nodes.get(end.farId());
            builder.at(end.place());
            if (far == null)
            {
                throw builder.fault("unknown node \"" + end.farId() + "\"; declare it or correct the name");
            }
            if (end.node().isSwitch() && !far.isSwitch())
            {
                builder.addServer(end.node().number(), end.port(), far.name(),
                    far.portGuids().getOrDefault(end.farPort(), far.guid()));
            }
            else if (end.node().isSwitch() && isFirstMention(end))
            {
                builder.addCable(end.node().number(), end.port(), far.number(), end.farPort());
            }
        }
        return builder.at(file).build();
    }

    /** Returns whether the other end of a cable between switches comes later in the file or not at all. */
    private boolean isFirstMention(final End end)
    {
        final Integer back = mentions.get(end.farId() + '\n' + end.farPort());
        if (back == null)
        {
            return true;
        }
        final End other = ends.get(back);
        return !other.farId().equals(end.node().id()) || other.farPort() != end.port() ||
            back > mentions.get(end.node().id() + '\n' + end.port());
    }
}
