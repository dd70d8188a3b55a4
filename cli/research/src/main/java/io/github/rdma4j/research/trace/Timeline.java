// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.CmMessageType.Names;
import io.github.rdma4j.research.trace.Entry.Lane;
import io.github.rdma4j.research.trace.Step.Side;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.StringJoiner;

/** Steps and messages in one order, in which no effect comes before its cause. */
public final class Timeline {
    private static final Set<String> QUERIES = Set.of("QUERY", "QUERY_ROUTE", "INIT_QP_ATTR", "SET_OPTION");

    /** The details of a command or event that are shown. */
    private static final List<String> SHOWN =
            List.of("of", "port space", "state", "from descriptor", "reason", "as", Step.ADDRESS);

    private final Trace trace;
    private final Clocks clocks;
    private final Causes causes;

    private Timeline(Trace trace) {
        this.trace = trace;
        this.clocks = Clocks.of(trace.messages());
        this.causes = Causes.find(trace, clocks);
        clocks.narrow();
    }

    /** Puts a trace in order. */
    public static List<Entry> of(Trace trace) {
        return new Timeline(trace).entries();
    }

    private List<Entry> entries() {
        Order order = new Order();
        for (Step step : trace.steps()) {
            order.add(step, step.side().name(), step.time() + clocks.offset(step.side()));
        }
        LongSummaryStatistics ran = trace.steps().stream()
                .mapToLong(step -> step.time() + clocks.offset(step.side()))
                .summaryStatistics();
        for (WireMessage message : trace.messages()) {
            // A subnet has a life before the programs, and after them.
            boolean outside = message.time() < ran.getMin() || message.time() > ran.getMax();
            if (!message.name().equals(WireMessage.CLOCK) && !(message.isOfSubnet() && outside)) {
                order.add(message, "wire", message.time());
            }
        }
        order.elements().forEach(element -> causes.of(element).forEach(cause -> order.precedes(cause, element)));
        return number(order);
    }

    private List<Entry> number(Order order) {
        IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
        List<Entry> entries = new ArrayList<>();
        long start = -1;
        for (Object element : order.sorted()) {
            start = entries.isEmpty() ? order.time(element) : start;
            numbers.put(element, entries.size());
            List<Integer> before = causes.of(element).stream()
                    .map(cause -> numbers.getOrDefault(cause, -1))
                    .filter(number -> number >= 0)
                    .toList();
            long time = order.time(element) - start;
            entries.add(
                    element instanceof Step step
                            ? entry(entries.size(), step, time, before)
                            : entry(entries.size(), (WireMessage) element, time, before));
        }
        return entries;
    }

    private static Entry entry(int number, WireMessage message, long time, List<Integer> before) {
        Side sender = Side.of(message.source());
        Side receiver = sender == Side.CLIENT ? Side.SERVER : Side.CLIENT;
        boolean isMad = message.mad().isPresent();
        Map<String, String> details = new LinkedHashMap<>();
        details.put("From", message.source());
        details.put("To", message.destination());
        details.putAll(message.fields());
        return new Entry(
                number,
                Entry.Kind.MESSAGE,
                time,
                0,
                message.isOfSubnet() ? Lane.of(message.source()) : Lane.kernel(sender),
                isMad ? Lane.kernel(receiver) : Lane.of(message.isOfSubnet() ? message.destination() : ""),
                message.name(),
                summary(message),
                "",
                before,
                details);
    }

    private static Entry entry(int number, Step step, long time, List<Integer> before) {
        Lane program = Lane.program(step.side());
        Lane kernel = Lane.kernel(step.side());
        Map<String, String> details = new LinkedHashMap<>(step.details());
        if (step.actor().process() != Step.Actor.UNKNOWN) {
            details.put("process", String.valueOf(step.actor().process()));
        }
        String name = step.kind() == Step.Kind.START ? ProgramName.of(step.name()) : step.name();
        if (step.kind() == Step.Kind.START) {
            details.put(Entry.COMMAND_LINE, step.name());
        }
        return new Entry(
                number,
                kind(step),
                time,
                step.kind() == Step.Kind.COMMAND ? step.duration() : 0,
                step.kind() == Step.Kind.EVENT ? kernel : program,
                step.kind() == Step.Kind.COMMAND ? kernel : program,
                name,
                summary(step),
                step.result(),
                before,
                details);
    }

    private static Entry.Kind kind(Step step) {
        return switch (step.kind()) {
            case COMMAND -> QUERIES.contains(step.name()) ? Entry.Kind.QUERY : Entry.Kind.COMMAND;
            case EVENT -> Entry.Kind.EVENT;
            case START, END -> Entry.Kind.PROGRAM;
        };
    }

    /** The few words about a step that go on its label. */
    private static String summary(Step step) {
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

    private static String summary(WireMessage message) {
        String ends = message.source() + " to " + message.destination() + ": ";
        boolean isOnWire = message.isOfSubnet() && Lane.of(message.source()) == Lane.of(message.destination());
        String subject = (isOnWire ? ends : "") + message.subject();
        return message.mad().map(Timeline::summary).orElse(subject);
    }

    private static String summary(CmMad mad) {
        return switch (mad.type()) {
            case REQ, REP -> "QP " + mad.number(Names.LOCAL_QPN);
            case REJ -> RejectReasons.text((int) mad.number(Names.REASON));
            case DREQ -> "QP " + mad.number("Remote QPN/EECN");
            case SIDR_REP ->
                mad.number("Status") == 0 ? "QP " + mad.number(Names.QPN) : "status " + mad.number("Status");
            default -> "";
        };
    }

    /**
     * Sorts what happened by time, but never an effect before its cause, nor what one node or the wire did in another order
     * than it has told. Where a clock says otherwise, the later one is shown at the time of the earlier one.
     */
    private static final class Order {
        private final List<Item> items = new ArrayList<>();
        private final IdentityHashMap<Object, Item> byElement = new IdentityHashMap<>();
        private final Map<String, Item> lastOfPlace = new HashMap<>();

        private static final class Item {
            private final Object element;
            private final List<Item> later = new ArrayList<>();
            private int earlier;
            private long time;

            Item(Object element, long time) {
                this.element = element;
                this.time = time;
            }

            void precedes(Item next) {
                later.add(next);
                next.earlier++;
            }
        }

        /** Adds what happened at a place after all that was added for the place before. */
        void add(Object element, String place, long time) {
            Item item = new Item(element, time);
            items.add(item);
            byElement.put(element, item);
            Item before = lastOfPlace.put(place, item);
            if (before != null) {
                before.precedes(item);
            }
        }

        /** Tells that one comes before the other. */
        void precedes(Object cause, Object effect) {
            Item first = byElement.get(cause);
            Item second = byElement.get(effect);
            if (first != null && second != null) {
                first.precedes(second);
            }
        }

        /** All that was added. */
        List<Object> elements() {
            return items.stream().map(item -> item.element).toList();
        }

        /** The time at which an element is shown. */
        long time(Object element) {
            Item item = byElement.get(element);
            return item == null ? 0 : item.time;
        }

        /** All in their order. */
        List<Object> sorted() {
            PriorityQueue<Item> ready = new PriorityQueue<>(Comparator.comparingLong(item -> item.time));
            items.stream().filter(item -> item.earlier == 0).forEach(ready::add);
            List<Object> sorted = new ArrayList<>();
            for (Item item = ready.poll(); item != null; item = ready.poll()) {
                sorted.add(item.element);
                release(item, ready);
            }
            if (sorted.size() < items.size()) {
                throw new IllegalStateException("causes in a circle");
            }
            return Collections.unmodifiableList(sorted);
        }

        private static void release(Item done, PriorityQueue<Item> ready) {
            for (Item next : done.later) {
                next.time = Math.max(next.time, done.time);
                if (--next.earlier == 0) {
                    ready.add(next);
                }
            }
        }
    }
}
