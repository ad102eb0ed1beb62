package org.fibnuma.ipnuma.demo;

/**
 * The address of an endpoint in the table {@code [endpoint]} of its file.
 *
 * @param id      PC ID of the endpoint at its peers.
 * @param ipv4    address in decimal notation.
 * @param length  length of the prefix of its network.
 * @param gateway address of the next hop to peers of other networks; empty if there is none.
 */
public record EndpointAddress(int id, String ipv4, int length, String gateway)
{
    /** Returns the address 10.9.0.ID in a network with all peers; the PC ID is 1 to 254. */
    public static EndpointAddress of(final int id)
    {
        return new EndpointAddress(id, "10.9.0." + id, 24, "");
    }

    /** Returns the lines of the table, without an end of the last one. */
    public String toToml()
    {
        return "address = \"" + ipv4 + "/" + length + "\"" +
            (gateway.isEmpty() ? "" : "\ngateway = \"" + gateway + "\"");
    }
}
