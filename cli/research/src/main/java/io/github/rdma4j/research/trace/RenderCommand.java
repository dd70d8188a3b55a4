// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cli.run.RdmaCommand;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code rdma4j trace render}: shows recordings that tests, or other programs, have left. */
@CommandLine.Command(
        name = "trace render",
        description = {
            "Shows recordings of the Flight Recorder, such as those that tests in a guest leave with"
                    + " -Drdma4j.testbed.trace=DIR.",
            "Writes NAME.txt, NAME.json and NAME.html beside each recording NAME.jfr, and prints NAME.txt. There is no"
                    + " capture, and so no packet."
        },
        footer = {"", "The exit status is 0, 1 if no recording can be read, or 2 for wrong usage."})
final class RenderCommand extends RdmaCommand {
    private static final String ENDING = ".jfr";

    /** The text above each time line. */
    static final String NOTE =
            "One process. Left: ids that connect or send; right: ids that listen, and ids of requests."
                    + "\nPackets are absent: nothing was captured.\n\n";

    @Parameters(paramLabel = "DIR|FILE", description = "A directory with recordings (*.jfr), or one recording.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path place;

    @Override
    public Integer call() throws IOException {
        for (Path recording : recordings()) {
            render(recording);
        }
        out().flush();
        return 0;
    }

    private List<Path> recordings() throws IOException {
        if (Files.isRegularFile(place)) {
            return List.of(place);
        }
        try (Stream<Path> files = Files.list(place)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new FileNotFoundException("there is no recording (*.jfr) in " + place);
            }
            return found;
        }
    }

    private void render(Path recording) throws IOException {
        String name = nameOf(recording);
        List<Step> steps = FlightRecording.readBoth(recording);
        out().println(name);
        if (steps.isEmpty()) {
            out().println("The connection manager was not used.");
        } else {
            Views views = new Views(recording.resolveSibling(name));
            out().print(views.write(name + " (one process, no packets)", NOTE, new Trace(steps, List.of())));
            err().println("trace: " + views.page());
        }
        out().println();
    }

    private static String nameOf(Path recording) {
        String name = String.valueOf(recording.getFileName());
        return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
    }
}
