package org.fibnuma.bench.system;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.HexFormat;

/** A frame that arrived at a host, with its fields as scapy reads them. */
record ReceivedFrame(JsonNode fields)
{
    /** When it arrived, in seconds of the machine's clock. */
    double time()
    {
        return fields.get("time").asDouble();
    }

    String destination()
    {
        return fields.get("destination").asText();
    }

    String source()
    {
        return fields.get("source").asText();
    }

    byte[] bytes()
    {
        return HexFormat.of().parseHex(fields.get("hex").asText());
    }

    int length()
    {
        return fields.get("length").asInt();
    }

    boolean isIp()
    {
        return fields.has("ip");
    }

    Ip ip()
    {
        return new Ip(fields.get("ip"));
    }

    boolean isIcmp()
    {
        return isIp() && fields.get("ip").has("icmp");
    }

    Icmp icmp()
    {
        return new Icmp(fields.get("ip").get("icmp"));
    }

    boolean isIpv6()
    {
        return fields.has("ip6");
    }

    Ipv6 ipv6()
    {
        return new Ipv6(fields.get("ip6"));
    }

    boolean isIcmpv6()
    {
        return isIpv6() && fields.get("ip6").has("icmp");
    }

    Icmpv6 icmpv6()
    {
        return new Icmpv6(fields.get("ip6").get("icmp"));
    }

    @Override
    public String toString()
    {
        return fields.toString();
    }

    /** IPv4 fields; the payload ends where the total length says, {@code trailing} is what lies behind. */
    record Ip(JsonNode fields)
    {
        String source()
        {
            return fields.get("source").asText();
        }

        String destination()
        {
            return fields.get("destination").asText();
        }

        int ttl()
        {
            return fields.get("ttl").asInt();
        }

        int tos()
        {
            return fields.get("tos").asInt();
        }

        int id()
        {
            return fields.get("id").asInt();
        }

        int totalLength()
        {
            return fields.get("length").asInt();
        }

        boolean dontFragment()
        {
            return fields.get("dontFragment").asBoolean();
        }

        boolean moreFragments()
        {
            return fields.get("moreFragments").asBoolean();
        }

        int fragmentOffset()
        {
            return fields.get("fragmentOffset").asInt();
        }

        boolean checksumRight()
        {
            return fields.get("checksumRight").asBoolean();
        }

        boolean transportChecksumRight()
        {
            return fields.path("transportChecksumRight").asBoolean();
        }

        String payload()
        {
            return fields.get("payload").asText();
        }

        String options()
        {
            return fields.get("options").asText();
        }

        String trailing()
        {
            return fields.get("trailing").asText();
        }
    }

    /** IPv6 fields; the payload begins behind the fixed header and ends where the payload length says. */
    record Ipv6(JsonNode fields)
    {
        String source()
        {
            return fields.get("source").asText();
        }

        String destination()
        {
            return fields.get("destination").asText();
        }

        int hopLimit()
        {
            return fields.get("hopLimit").asInt();
        }

        int payloadLength()
        {
            return fields.get("payloadLength").asInt();
        }

        boolean transportChecksumRight()
        {
            return fields.path("transportChecksumRight").asBoolean();
        }

        String payload()
        {
            return fields.get("payload").asText();
        }

        String trailing()
        {
            return fields.get("trailing").asText();
        }
    }

    /** ICMPv6 fields; {@code rest} is the second word, {@code body} what lies behind it. */
    record Icmpv6(JsonNode fields)
    {
        int type()
        {
            return fields.get("type").asInt();
        }

        int code()
        {
            return fields.get("code").asInt();
        }

        boolean checksumRight()
        {
            return fields.get("checksumRight").asBoolean();
        }

        int rest()
        {
            return fields.get("rest").asInt();
        }

        String body()
        {
            return fields.get("body").asText();
        }
    }

    /** ICMP fields; {@code mtu} is the second half of the second word, as in RFC 1191. */
    record Icmp(JsonNode fields)
    {
        int type()
        {
            return fields.get("type").asInt();
        }

        int code()
        {
            return fields.get("code").asInt();
        }

        boolean checksumRight()
        {
            return fields.get("checksumRight").asBoolean();
        }

        int unused()
        {
            return fields.get("unused").asInt();
        }

        int mtu()
        {
            return fields.get("mtu").asInt();
        }

        String quote()
        {
            return fields.get("quote").asText();
        }
    }
}
