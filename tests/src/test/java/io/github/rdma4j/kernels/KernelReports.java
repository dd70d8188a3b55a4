// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
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
 * @param tests how many tests there are, including those that were left out
 * @param failed the tests that failed, with the first line of the reason
 * @param skipped the tests that were left out, with the reason
 */
record KernelReports(String version, String note, int tests, Map<String, String> failed, Map<String, String> skipped) {
    /** Reads the reports {@code TEST-*.xml} and the files {@code version} and {@code note} of a directory. */
    static KernelReports read(Path directory) throws IOException {
        Map<String, String> failed = new TreeMap<>();
        Map<String, String> skipped = new TreeMap<>();
        int tests = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList()) {
                NodeList cases = parse(file).getElementsByTagName("testcase");
                tests += cases.getLength();
                for (int i = 0; i < cases.getLength(); i++) {
                    Element test = (Element) cases.item(i);
                    note(test, "failure", failed);
                    note(test, "error", failed);
                    note(test, "skipped", skipped);
                }
            }
        }
        Path note = directory.resolve("note");
        return new KernelReports(
                Files.readString(directory.resolve("version")).strip(),
                Files.exists(note) ? Files.readString(note).strip() : "",
                tests,
                failed,
                skipped);
    }

    private static void note(Element test, String kind, Map<String, String> tests) {
        NodeList found = test.getElementsByTagName(kind);
        if (found.getLength() > 0) {
            String owner = test.getAttribute("classname");
            String name = owner.substring(owner.lastIndexOf('.') + 1) + "#" + test.getAttribute("name");
            String reason = ((Element) found.item(0)).getAttribute("message");
            tests.put(name, reason.lines().findFirst().orElse("").replace("|", "\\|"));
        }
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
