// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.trace.timeline;

import io.github.rdma4j.lab.trace.mad.CmMad;
import io.github.rdma4j.lab.trace.mad.CmMessageType.Names;
import io.github.rdma4j.lab.trace.mad.RejectReasons;
import io.github.rdma4j.lab.trace.recording.Step;
import io.github.rdma4j.lab.trace.wire.WireMessage;
import java.util.List;
import java.util.StringJoiner;

/** The few words about a step or message that go on its label. */
final class Summaries {
    /** What is shown of a command or event, if it is there. */
    private static final List<String> SHOWN =
            List.of("of", "port space", "state", "from descriptor", "reason", "as", Step.ADDRESS);

    private Summaries() {}

    static String of(Step step) {
        StringJoiner words = new StringJoiner(", ");
        if (!step.detail(Step.ID).isEmpty()) {
            words.add("id " + step.detail(Step.ID));
        }
        step.queuePair().ifPresent(number -> words.add("QP " + number));
        for (String key : SHOWN) {
            if (!step.detail(key).isEmpty()) {
                words.add(key.equals("from descriptor") ? "from " + step.detail(key) : step.detail(key));
            }
        }
        return words.toString();
    }

    static String of(WireMessage message) {
        return message.mad().map(Summaries::of).orElse(message.subject());
    }

    private static String of(CmMad mad) {
        return switch (mad.type()) {
            case REQ, REP -> "QP " + mad.number(Names.LOCAL_QPN);
            case REJ -> RejectReasons.text((int) mad.number(Names.REASON));
            case DREQ -> "QP " + mad.number("Remote QPN/EECN");
            case SIDR_REP ->
                mad.number("Status") == 0 ? "QP " + mad.number(Names.QPN) : "status " + mad.number("Status");
            default -> "";
        };
    }
}
