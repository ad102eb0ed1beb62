package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The text that follows from an answer with flows. */
class ShowFlowsTest
{
    private static final String ANSWER =
        "{'found':true,'count':3,'refusals':[{'reason':'helper','connections':2,'meaning':'a helper'}],'flows':[" +
        "{'original':{'protocol':'tcp','source':'10.0.0.2','destination':'192.0.2.9','sourcePort':40000," +
        "'destinationPort':443},'translated':{'protocol':'tcp','source':'198.51.100.1','destination':'192.0.2.9'," +
        "'sourcePort':1024,'destinationPort':443},'port':'left','replyPort':'right','packets':1234567,'bytes':99," +
        "'replyPackets':5,'replyBytes':0,'ageSeconds':70,'refreshedSeconds':9}," +
        "{'original':{'protocol':'udp','source':'2001:db8::1','destination':'2001:db8::2','sourcePort':9," +
        "'destinationPort':53},'port':'left','replyPort':'right','packets':1,'bytes':99," +
        "'replyPackets':1,'replyBytes':99,'ageSeconds':1,'refreshedSeconds':1}," +
        "{'original':{'protocol':'icmp','source':'10.0.0.2','destination':'192.0.2.9','identifier':7}," +
        "'port':'right','replyPort':'left','packets':0,'bytes':0,'replyPackets':0,'replyBytes':0,'ageSeconds':1," +
        "'refreshedSeconds':0}]}";

    @Test
    void shouldPrintOneLineForEachFlow() throws Exception
    {
        final StringWriter text = new StringWriter();
        final PrintWriter out = new PrintWriter(text);
        AnswerPrinter.print(
            ShowFlows.tables(new ObjectMapper().readTree(ANSWER.replace('\'', '"'))), out, Integer.MAX_VALUE);
        out.flush();
        assertEquals(String.join(System.lineSeparator(),
            "found  true",
            "count  3",
            "",
            "reason  connections  meaning",
            "helper  2            a helper",
            "",
            "flow                                    translated                         ports       packets  bytes  " +
            "age  refreshed",
            "tcp 10.0.0.2:40000 > 192.0.2.9:443      198.51.100.1:1024 > 192.0.2.9:443  left/right  1.23M/5  99/0   " +
            "70s  9s",
            "udp [2001:db8::1]:9 > [2001:db8::2]:53  -                                  left/right  1/1      99/99  " +
            "1s   1s",
            "icmp 10.0.0.2 > 192.0.2.9 id 7          -                                  right/left  0/0      0/0    " +
            "1s   0s",
            ""), text.toString());
    }
}
