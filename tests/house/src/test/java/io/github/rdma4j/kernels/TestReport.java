// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import java.util.stream.Collectors;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What a report says of one test.
 *
 * @param area what the test is about
 * @param name the class and the method, the same for every set of parameters; the class if the class failed as a whole
 * @param outcome how the test ended
 * @param reason why it failed or was left out, in a few words; empty if it passed
 */
record TestReport(String area, String name, Outcome outcome, String reason) {
    static final String RXE = "soft-RoCE";
    static final String C = "soft-RoCE, with C programs";
    static final String SIW = "soft-iWARP";
    static final String IB = "InfiniBand";
    private static final int LONGEST_REASON = 140;

    /** How a test ended. */
    enum Outcome {
        PASSED,
        FAILED,
        LEFT_OUT
    }

    /** Reads an element {@code testcase}. */
    static TestReport of(Element test) {
        String owner = withoutParameters(test.getAttribute("classname"));
        String name = simple(owner);
        String method = withoutParameters(test.getAttribute("name"));
        if (!method.isEmpty()) {
            name += "#" + method;
        }
        for (String kind : new String[] {"failure", "error", "skipped"}) {
            NodeList found = test.getElementsByTagName(kind);
            if (found.getLength() > 0) {
                Outcome outcome = kind.equals("skipped") ? Outcome.LEFT_OUT : Outcome.FAILED;
                return new TestReport(area(owner), name, outcome, reason((Element) found.item(0)));
            }
        }
        return new TestReport(area(owner), name, Outcome.PASSED, "");
    }

    private static String simple(String owner) {
        return owner.substring(owner.lastIndexOf('.') + 1);
    }

    // Of a class or a method: "sends(int)[2][1]" is "sends(int)" with the first number on the second transport.
    private static String withoutParameters(String name) {
        return name.replaceFirst("\\[.*", "").replace("()", "");
    }

    private static String area(String owner) {
        if (owner.endsWith("SiwIT")) {
            return SIW;
        }
        if (owner.endsWith("IbIT")) {
            return IB;
        }
        if (owner.contains(".interop.")) {
            return C;
        }
        return owner.contains(".examples.") ? "examples" : RXE;
    }

    // An assertion's message has several lines, and the first ones may be empty.
    private static String reason(Element outcome) {
        String text = outcome.getAttribute("message")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .limit(2)
                .collect(Collectors.joining(" "));
        String reason = text.isEmpty() ? simple(outcome.getAttribute("type")) : text;
        String shown = reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON - 2) + " …";
        return shown.replace("|", "\\|").replace("<", "&lt;");
    }
}
