// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParameterException;

/** Finds situations, commands and behaviours by the names that a user enters. */
final class Names {
    private static final Pattern BEHAVIOUR = Pattern.compile("[CSFI]\\d+", Pattern.CASE_INSENSITIVE);

    private final Function<String, ParameterException> wrong;

    /** For a command that reports an error like this. */
    Names(Function<String, ParameterException> wrong) {
        this.wrong = wrong;
    }

    /** Situations by a name, a pattern with {@code *}, or the name of a state of the library. */
    Set<Situation> situations(String name) {
        Set<Situation> found = matching(Situation.class, name, Situation::name);
        if (found.isEmpty()) {
            found = matching(
                    Situation.class,
                    name,
                    situation ->
                            situation.state() == null ? "" : situation.state().name());
        }
        if (found.isEmpty()) {
            throw unknown("situation", name, Stream.of(Situation.values()).map(Situation::name));
        }
        return found;
    }

    /** All situations that one of these names finds. */
    Set<Situation> situations(List<String> names) {
        Set<Situation> found = EnumSet.noneOf(Situation.class);
        names.forEach(name -> found.addAll(situations(name)));
        return found;
    }

    /** Commands by a name or a pattern with {@code *}; not NONE. */
    Set<Command> commands(String name) {
        Set<Command> found = matching(Command.class, name, Command::name);
        found.remove(Command.NONE);
        if (found.isEmpty()) {
            throw unknown("command", name, Command.given().stream().map(Command::name));
        }
        return found;
    }

    static <E extends Enum<E>> Set<E> matching(Class<E> type, String name, Function<E, String> nameOf) {
        String upper = name.toUpperCase(Locale.ROOT);
        Pattern pattern = Pattern.compile(
                Stream.of(upper.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
        Set<E> found = EnumSet.noneOf(type);
        for (E constant : type.getEnumConstants()) {
            if (pattern.matcher(nameOf.apply(constant)).matches()) {
                found.add(constant);
            }
        }
        return found;
    }

    /** Whether this looks like the key of a behaviour: {@code C27}. */
    static boolean isBehaviour(String name) {
        return BEHAVIOUR.matcher(name).matches();
    }

    Behaviour behaviour(String key) {
        return Behaviours.find(key.toUpperCase(Locale.ROOT))
                .orElseThrow(() -> wrong.apply("there is no behaviour " + key + "; there are "
                        + Stream.of("C", "S", "F", "I").map(Names::range).collect(Collectors.joining(", "))));
    }

    Event event(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Event.all().stream()
                .filter(event -> event.name().equals(upper))
                .findFirst()
                .orElseThrow(() -> unknown("event", name, Event.all().stream().map(Event::name)));
    }

    private static String range(String list) {
        List<Integer> numbers = Behaviours.all().stream()
                .filter(behaviour -> behaviour.key().startsWith(list))
                .map(Behaviour::number)
                .sorted()
                .toList();
        return list + numbers.get(0) + " to " + list + numbers.get(numbers.size() - 1);
    }

    private ParameterException unknown(String what, String name, Stream<String> known) {
        List<String> names = known.toList();
        String upper = name.toUpperCase(Locale.ROOT).replace("*", "");
        List<String> like = new ArrayList<>(names);
        like.removeIf(candidate -> upper.isEmpty() || !candidate.contains(upper));
        String hint = like.isEmpty() ? "" : "; did you mean " + String.join(", ", like) + "?";
        return wrong.apply("there is no " + what + " '" + name + "'" + hint + System.lineSeparator() + "The " + what
                + "s are: " + String.join(", ", names));
    }
}
