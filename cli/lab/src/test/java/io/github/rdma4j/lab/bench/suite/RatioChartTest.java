// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class RatioChartTest {
    private static Document chart(List<Result> results) throws Exception {
        String svg = new RatioChart(results).svg();
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> elements(Document chart, String name, String style) {
        NodeList all = chart.getElementsByTagName(name);
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            Element each = (Element) all.item(i);
            if (each.getAttribute("class").equals(style)) {
                found.add(each);
            }
        }
        return found;
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void showsTheRowsWithAnAimAndNoOthers() throws Exception {
        Document chart = chart(Samples.findings().results());

        assertThat(elements(chart, "text", "end").stream().map(Element::getTextContent))
                .containsExactly("send <64 B> & back, median · QEMU", "1.00", "messages of 64 B · QEMU", "1.11");
    }

    /** The rate of Java is lower than that of C, so Java costs more, which is to the right. */
    @Test
    void turnsTheRatioOfARateOver() throws Exception {
        Document chart = chart(Samples.findings().results());
        double one = number(elements(chart, "line", "one").get(0), "x1");
        Element spread = elements(chart, "line", "spread missed").get(0);
        Element median = elements(chart, "circle", "missed").get(1);

        assertThat(number(spread, "x1")).isCloseTo(one, org.assertj.core.data.Offset.offset(0.2));
        assertThat(number(median, "cx")).isGreaterThan(one);
        assertThat(number(spread, "x2")).isGreaterThan(number(median, "cx"));
    }

    @Test
    void keepsEveryPointInsideThePicture() throws Exception {
        Row row = Samples.LATENCY;
        Document chart = chart(List.of(
                new Result("a", row, Guest.VM, List.of(1.0, 1.0), List.of(0.01, 0.02)),
                new Result("b", row, Guest.VM, List.of(1.0, 1.0), List.of(30.0, 400.0))));

        List<Element> spreads = new ArrayList<>(elements(chart, "line", "spread met"));
        spreads.addAll(elements(chart, "line", "spread missed"));
        assertThat(spreads).hasSize(2).allSatisfy(spread -> {
            assertThat(number(spread, "x1")).isBetween(400.0, 860.0);
            assertThat(number(spread, "x2")).isBetween(400.0, 860.0);
        });
    }

    /** Below the numbers and inside the picture, one below the other. */
    @Test
    void namesTheAxisAndThePlaces() throws Exception {
        Document chart = chart(Samples.findings().results());
        List<Element> texts = new ArrayList<>(elements(chart, "text", "faint mid"));
        Element axis = texts.get(texts.size() - 1);
        List<Element> faint = elements(chart, "text", "faint");
        Element places = faint.get(faint.size() - 1);

        assertThat(axis.getTextContent()).contains("logarithmic");
        assertThat(places.getTextContent()).contains("UML: ", "QEMU: ");
        assertThat(number(axis, "y")).isGreaterThan(number(texts.get(0), "y") + 10);
        assertThat(number(places, "y"))
                .isGreaterThan(number(axis, "y") + 10)
                .isLessThan(number(chart.getDocumentElement(), "height"));
    }

    @Test
    void isAPictureWithoutResultsToo() throws Exception {
        assertThat(chart(List.of()).getDocumentElement().getTagName()).isEqualTo("svg");
    }

    @Test
    void hasColoursForLightAndDarkAndNeedsNothingFromOutside() {
        String svg = new RatioChart(Samples.findings().results()).svg();

        assertThat(svg).contains("@media (prefers-color-scheme: dark)").doesNotContain("href", "url(", "@import");
    }
}
