package dev.ratelimit;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The walls of the house: which room may see what.
 */
class ArchitectureTests {

	private static JavaClasses code;

	@BeforeAll
	static void importCode() {
		code = new ClassFileImporter().withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("dev.ratelimit");
	}

	@Test
	void coreSeesOnlyTheJdkJspecifyAndCaffeine() {
		check(classes().that()
			.resideInAPackage("dev.ratelimit.core..")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.ratelimit.core..", "java..", "org.jspecify.annotations",
					"com.github.benmanes.caffeine.cache.."));
	}

	@Test
	void annotationSeesOnlyCoreAndTheAnnotationPackageOfSpring() {
		check(classes().that()
			.resideInAPackage("dev.ratelimit.annotation..")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.ratelimit.annotation..", "dev.ratelimit.core..", "java..",
					"org.jspecify.annotations", "org.springframework.core.annotation"));
	}

	@Test
	void expressionSeesOnlyCoreAndTheExpressionLanguageOfSpring() {
		check(classes().that()
			.resideInAPackage("dev.ratelimit.expression..")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("dev.ratelimit.expression..", "dev.ratelimit.core..", "java..",
					"org.jspecify.annotations", "org.springframework.expression..", "org.springframework.util"));
	}

	@Test
	void nobodySeesAutoconfigure() {
		check(noClasses().that()
			.resideOutsideOfPackage("dev.ratelimit.autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.ratelimit.autoconfigure.."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "aspect", "redis", "web", "metrics", "actuate" })
	void noRoomOfTheMiddleSeesAnother(String room) {
		DescribedPredicate<JavaClass> own = resideInAPackage("dev.ratelimit." + room + "..");
		DescribedPredicate<JavaClass> middle = resideInAnyPackage("dev.ratelimit.aspect..", "dev.ratelimit.redis..",
				"dev.ratelimit.web..", "dev.ratelimit.metrics..", "dev.ratelimit.actuate..");
		check(noClasses().that(own)
			.should()
			.dependOnClassesThat(middle.and(DescribedPredicate.not(own)))
			.allowEmptyShould(true));
	}

	@ParameterizedTest
	@CsvSource({ "web.servlet, web.reactive..", "web.reactive, web.servlet..", "web, web.servlet..",
			"web, web.reactive.." })
	void noThinEndOfTheWebIsSeenByTheRest(String room, String other) {
		check(noClasses().that()
			.resideInAPackage("dev.ratelimit." + room)
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.ratelimit." + other)
			.allowEmptyShould(true));
	}

	@ParameterizedTest
	@CsvSource({ "org.springframework.data.redis.., dev.ratelimit.redis..", "io.lettuce.., dev.ratelimit.redis..",
			"io.micrometer.., dev.ratelimit.metrics..", "org.springframework.boot.actuate.., dev.ratelimit.actuate..",
			"jakarta.servlet.., dev.ratelimit.web.servlet..",
			"org.springframework.web.servlet.., dev.ratelimit.web.servlet..",
			"org.springframework.web.reactive.., dev.ratelimit.web.reactive.." })
	void onlyOneRoomSeesAnOptionalLibrary(String library, String room) {
		onlySees(library, room);
	}

	@ParameterizedTest
	@ValueSource(strings = { "reactor..", "org.reactivestreams.." })
	void onlyAspectAndReactiveWebSeeReactor(String library) {
		onlySees(library, "dev.ratelimit.aspect..", "dev.ratelimit.web.reactive..");
	}

	@Test
	void noPackagesFormACycle() {
		slices().matching("dev.ratelimit.(**)").should().beFreeOfCycles().check(code);
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.aspectj..", "com.fasterxml.jackson..", "tools.jackson.." })
	void nobodySeesAspectjOrJackson(String library) {
		check(noClasses().should().dependOnClassesThat().resideInAPackage(library));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Util", "Utils", "Helper" })
	void noNameSaysNothing(String suffix) {
		check(noClasses().should().haveSimpleNameEndingWith(suffix));
	}

	@Test
	void everyPackageIsNullMarked() {
		check(classes().should(resideInANullMarkedPackage()));
	}

	@Test
	void theRoomsOfTheFirstCommitAreThere() {
		assertThat(code.stream().map(JavaClass::getPackageName)).contains("dev.ratelimit.core",
				"dev.ratelimit.annotation", "dev.ratelimit.aspect", "dev.ratelimit.autoconfigure");
	}

	private static void onlySees(String library, String... rooms) {
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(rooms)
			.or(resideInAPackage("dev.ratelimit.autoconfigure.."));
		check(noClasses().that(DescribedPredicate.not(allowed))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(library));
	}

	private static void check(ArchRule rule) {
		rule.check(code);
	}

	private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
		return new ArchCondition<>("reside in a @NullMarked package") {

			@Override
			public void check(JavaClass item, ConditionEvents events) {
				JavaPackage itsPackage = item.getPackage();
				boolean marked = itsPackage.isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(item, marked, item.getName() + " in " + itsPackage.getName()));
			}

		};
	}

}
