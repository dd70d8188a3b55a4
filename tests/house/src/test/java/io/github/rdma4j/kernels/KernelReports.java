// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * What the reports of one kernel's tests say.
 *
 * @param version the version of the kernel
 * @param note what else is to say about the tests on this kernel; empty if there is nothing
 * @param tests all tests
 */
record KernelReports(String version, String note, List<TestReport> tests) {
    /** Reads the reports {@code TEST-*.xml} and the files {@code version} and {@code note} of a directory. */
    static KernelReports read(Path directory) throws IOException {
        List<TestReport> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList()) {
                NodeList cases = parse(file).getElementsByTagName("testcase");
                for (int i = 0; i < cases.getLength(); i++) {
                    tests.add(TestReport.of((Element) cases.item(i)));
                }
            }
        }
        Path note = directory.resolve("note");
        return new KernelReports(
                Files.readString(directory.resolve("version")).strip(),
                Files.exists(note) ? Files.readString(note).strip() : "",
                List.copyOf(tests));
    }

    /** The tests that ended like this. */
    List<TestReport> ended(TestReport.Outcome outcome) {
        return tests.stream().filter(test -> test.outcome() == outcome).toList();
    }

    private static Document parse(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            // Without one the parser complains on standard error as well.
            builder.setErrorHandler(new DefaultHandler());
            return builder.parse(file.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is not a report: " + e.getMessage(), e);
        }
    }
}
